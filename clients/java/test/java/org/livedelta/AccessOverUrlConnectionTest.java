package org.livedelta;

class AccessOverUrlConnectionTest extends AccessContract {
  @Override
  Transport transport() {
    return new UrlConnectionTransport();
  }
}
