package org.livedelta;

import org.livedelta.http.JavaHttpTransport;

class AccessOverJavaHttpTest extends AccessContract {
  @Override
  Transport transport() {
    return new JavaHttpTransport();
  }
}
