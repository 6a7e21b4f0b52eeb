package org.livedelta;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests by {@link HttpURLConnection}, which Android and every JVM have. It cannot send {@code PATCH}.
 *
 * <p>On a JVM other than Android's, a stream that is cancelled is closed when its next byte comes, at the latest after
 * the read limit; nobody waits for that.
 */
public final class UrlConnectionTransport implements Transport {
  private final int connectMillis;
  private final int readMillis;

  /** Creates a transport that gives up connecting after 10 seconds, and a line after a minute of silence. */
  public UrlConnectionTransport() {
    this(10_000, 60_000);
  }

  /**
   * Creates a transport.
   *
   * @param connectMillis the milliseconds after which it gives up connecting
   * @param readMillis the milliseconds of silence after which it gives up a line
   */
  public UrlConnectionTransport(int connectMillis, int readMillis) {
    this.connectMillis = connectMillis;
    this.readMillis = readMillis;
  }

  @Override
  public Call prepare(Request request) {
    return new Exchange(request);
  }

  @Override
  public boolean sends(String method) {
    return !method.equals("PATCH");
  }

  private final class Exchange implements Call, Response {
    private final Request request;
    private volatile boolean isCancelled;
    private volatile HttpURLConnection connection;
    private int status;
    private InputStream body;

    Exchange(Request request) {
      this.request = request;
    }

    @Override
    public Response execute() throws IOException {
      try {
        return send();
      } catch (RuntimeException error) {
        // A connection that is closed at the wrong moment of its sending throws any.
        throw new IOException(error);
      }
    }

    private Response send() throws IOException {
      HttpURLConnection opened = (HttpURLConnection) new URL(request.getUrl()).openConnection();
      opened.setConnectTimeout(connectMillis);
      opened.setReadTimeout(readMillis);
      opened.setInstanceFollowRedirects(false);
      opened.setUseCaches(false);
      opened.setRequestMethod(request.getMethod());
      for (Map.Entry<String, String> field : request.getFields().entrySet()) {
        opened.setRequestProperty(field.getKey(), field.getValue());
      }
      connection = opened;
      if (isCancelled) throw new IOException("cancelled");
      byte[] content = request.getBody();
      if (content != null) {
        // Not a streaming mode: with it a 401 has no answer that could be read.
        opened.setDoOutput(true);
        OutputStream output = opened.getOutputStream(); // a buffer
        output.write(content);
        output.close();
      }
      status = opened.getResponseCode();
      if (status < 0) throw new IOException("no answer of HTTP");
      InputStream stream = status >= 400 ? opened.getErrorStream() : opened.getInputStream();
      body = stream == null ? new ByteArrayInputStream(new byte[0]) : stream;
      return this;
    }

    @Override
    public void cancel() {
      isCancelled = true;
      HttpURLConnection opened = connection;
      if (opened != null) opened.disconnect();
    }

    @Override
    public int getStatus() {
      return status;
    }

    @Override
    public @Nullable String field(String name) {
      return connection.getHeaderField(name);
    }

    @Override
    public InputStream getBody() {
      return body;
    }
  }
}
