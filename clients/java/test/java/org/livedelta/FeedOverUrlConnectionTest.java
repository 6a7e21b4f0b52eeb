package org.livedelta;

class FeedOverUrlConnectionTest extends FeedContract {
  @Override
  Transport transport() {
    return new UrlConnectionTransport();
  }
}
