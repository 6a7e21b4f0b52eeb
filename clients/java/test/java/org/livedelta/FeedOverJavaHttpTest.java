package org.livedelta;

import org.livedelta.http.JavaHttpTransport;

class FeedOverJavaHttpTest extends FeedContract {
  @Override
  Transport transport() {
    return new JavaHttpTransport();
  }
}
