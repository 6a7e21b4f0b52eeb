package org.livedelta.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.livedelta.Request;
import org.livedelta.Response;
import org.livedelta.Transport;

/**
 * Sends requests by {@link HttpClient}, over HTTP/2 where the service has it. For JVMs; Android has no such client, and an
 * app that as much as refers to it does not start there.
 */
public final class JavaHttpTransport implements Transport {
  private final HttpClient client;

  /** Creates a transport with a client of its own, which gives up connecting after 10 seconds. */
  public JavaHttpTransport() {
    this(HttpClient.newBuilder()
        .connectTimeout(Duration.ofSeconds(10))
        .followRedirects(HttpClient.Redirect.NEVER)
        .build());
  }

  /**
   * Creates a transport.
   *
   * @param client the client; it must not follow redirects, which would take tokens to other places
   */
  public JavaHttpTransport(HttpClient client) {
    if (client.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException("a client that follows redirects");
    }
    this.client = client;
  }

  @Override
  public Call prepare(Request request) {
    return new Exchange(request);
  }

  private final class Exchange implements Call, Response {
    private final Request request;
    private boolean isCancelled; // guarded by this, as are the next two
    private CompletableFuture<HttpResponse<InputStream>> future;
    private HttpResponse<InputStream> response;

    Exchange(Request request) {
      this.request = request;
    }

    @Override
    public Response execute() throws IOException {
      CompletableFuture<HttpResponse<InputStream>> sent;
      synchronized (this) {
        if (isCancelled) throw new IOException("cancelled");
        sent = client.sendAsync(built(), HttpResponse.BodyHandlers.ofInputStream());
        future = sent;
      }
      try {
        HttpResponse<InputStream> answer = sent.get();
        synchronized (this) {
          response = answer;
          if (isCancelled) answer.body().close();
        }
        return this;
      } catch (ExecutionException error) {
        throw error.getCause() instanceof IOException ? (IOException) error.getCause() : new IOException(error.getCause());
      } catch (CancellationException error) {
        throw new IOException("cancelled", error);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }

    @Override
    public void cancel() {
      InputStream body = null;
      synchronized (this) {
        isCancelled = true;
        if (future != null) future.cancel(true);
        if (response != null) body = response.body();
      }
      try {
        if (body != null) body.close();
      } catch (IOException error) {
        // It is over, which is all that is wanted.
      }
    }

    @Override
    public synchronized int getStatus() {
      return response.statusCode();
    }

    @Override
    public synchronized @Nullable String field(String name) {
      return response.headers().firstValue(name).orElse(null);
    }

    @Override
    public synchronized InputStream getBody() {
      return response.body() == null ? new ByteArrayInputStream(new byte[0]) : response.body();
    }

    private HttpRequest built() {
      byte[] body = request.getBody();
      HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(request.getUrl()))
          .method(request.getMethod(), body == null
              ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
      for (Map.Entry<String, String> field : request.getFields().entrySet()) {
        builder.setHeader(field.getKey(), field.getValue());
      }
      return builder.build();
    }
  }
}
