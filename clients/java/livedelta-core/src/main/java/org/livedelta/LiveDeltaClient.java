package org.livedelta;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The collections of one client of a LiveDelta service, to follow. The artifact {@code livedelta-writer} writes them.
 *
 * <pre>{@code
 * LiveDeltaClient client = LiveDeltaClient.builder("https://lists.example.org", "u42").build();
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
public final class LiveDeltaClient {
  final Http http;
  final String path;

  private LiveDeltaClient(Http http, String client) {
    this.http = http;
    path = "/v1/clients/" + Http.encode(client);
  }

  /**
   * Begins a client.
   *
   * @param origin where the service is, such as {@code https://lists.example.org}
   * @param client the owner of the collections, such as a user
   * @return a builder
   */
  public static Builder builder(String origin, String client) {
    return new Builder(origin, client);
  }

  /**
   * Begins to follow collections on one connection. What is written together arrives together.
   *
   * @param collections their names
   * @return a builder of the feed
   */
  public Feed.Builder feed(String... collections) {
    return feed(Arrays.asList(collections));
  }

  /**
   * Begins to follow collections on one connection. What is written together arrives together.
   *
   * @param collections their names
   * @return a builder of the feed
   */
  public Feed.Builder feed(List<String> collections) {
    return new Feed.Builder(http, path, collections);
  }

  /** How to reach a service. */
  public static final class Builder {
    private final String origin;
    private final String client;
    private Transport transport = new UrlConnectionTransport();
    private @Nullable TokenProvider tokens;
    private int bytesMax = 96 << 20;

    private Builder(String origin, String client) {
      this.origin = origin;
      this.client = client;
    }

    /**
     * Sets what sends requests; by default {@link UrlConnectionTransport}.
     *
     * @param transport the transport
     * @return this
     */
    public Builder transport(Transport transport) {
      this.transport = transport;
      return this;
    }

    /**
     * Sets who has the bearer tokens.
     *
     * @param tokens the provider
     * @return this
     */
    public Builder tokens(TokenProvider tokens) {
      this.tokens = tokens;
      return this;
    }

    /**
     * Sets how large an answer, or an event of a stream, may be once it is decoded.
     *
     * @param bytesMax the bytes; by default 96 MiB, more than a service sends by default
     * @return this
     */
    public Builder answerBytesMax(int bytesMax) {
      this.bytesMax = bytesMax;
      return this;
    }

    /**
     * Makes the client. Nothing is sent.
     *
     * @return the client
     */
    public LiveDeltaClient build() {
      return new LiveDeltaClient(new Http(origin, transport, tokens, bytesMax), client);
    }
  }
}
