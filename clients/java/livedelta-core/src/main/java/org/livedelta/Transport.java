package org.livedelta;

import java.io.IOException;

/**
 * Sends requests over HTTP. {@link UrlConnectionTransport} is the default; any HTTP client of an app can be another.
 *
 * <p>A transport follows no redirects, keeps no cache and repeats nothing by itself. Time limits are none of its matter:
 * calls are cancelled from outside.
 */
public interface Transport {
  /**
   * Prepares a request, without sending anything.
   *
   * @param request what to send
   * @return the call
   */
  Call prepare(Request request);

  /**
   * Whether requests can have a method. Edits are sent by {@code POST} where {@code PATCH} cannot be.
   *
   * @param method the method
   * @return whether it can be sent
   */
  default boolean sends(String method) {
    return true;
  }

  /** One request, which is sent once. */
  interface Call {
    /**
     * Sends the request and waits for the head of the answer, whatever its status.
     *
     * @return the answer; its body is read afterwards, on the same thread
     * @throws IOException if there is no answer, or the call was cancelled
     */
    Response execute() throws IOException;

    /**
     * Gives the call up: {@link #execute} and reads of the body end soon, with an exception. Called from any thread, any
     * number of times, at any time. May take as long as that takes.
     */
    void cancel();
  }
}
