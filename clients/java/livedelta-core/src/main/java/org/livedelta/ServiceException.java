package org.livedelta;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The service refused a request, or could not be asked.
 *
 * <p>{@link #getCode} says what is wrong, for machines: one of the service's codes, such as {@code version-conflict}, or
 * one of the client's own: {@code unreachable} (no answer came, or a part of one), {@code silence} (nothing came for too
 * long), {@code credential} (the provider of tokens has none), {@code mismatch} (an answer does not follow from what is
 * held), {@code malformed} (an answer is not of the protocol), {@code loop} (answers came in a circle), {@code file} (the
 * replica could not be kept), {@code closed}.
 */
public final class ServiceException extends IOException {
  private static final long serialVersionUID = 1;

  /** The status of the answer; 0 without one. */
  private final int status;

  /** What is wrong, for machines. */
  private final String code;

  /** The pause that was asked for, in milliseconds. */
  private final long retryAfterMillis;

  private final transient @Nullable Json problem;

  ServiceException(int status, String code, String detail, long retryAfterMillis, @Nullable Json problem) {
    super(detail);
    this.status = status;
    this.code = code;
    this.retryAfterMillis = retryAfterMillis;
    this.problem = problem;
  }

  ServiceException(String code, String detail) {
    this(0, code, detail, 0, null);
  }

  ServiceException(String code, Throwable cause) {
    this(code, String.valueOf(cause.getMessage()));
    initCause(cause);
  }

  /** Returns an exception as one of these. */
  static ServiceException of(IOException error) {
    return error instanceof ServiceException ? (ServiceException) error : new ServiceException("unreachable", error);
  }

  /** {@return the status of the answer; 0 without one} */
  public int getStatus() {
    return status;
  }

  /** {@return what is wrong, for machines} */
  public String getCode() {
    return code;
  }

  /** {@return the milliseconds to wait before the next request, as the service asked; 0 if it did not} */
  public long getRetryAfterMillis() {
    return retryAfterMillis;
  }

  /** {@return the problem as it was sent (RFC 9457); null if there is none} */
  public @Nullable Json getProblem() {
    return problem;
  }

  /** {@return the newest version, where the service tells it; else null} */
  public @Nullable String getCurrent() {
    return problem == null ? null : problem.text("current");
  }

  /** {@return whether the same request may have another answer later} */
  public boolean isTemporary() {
    if (status == 0) return !code.equals("malformed") && !code.equals("closed");
    if (status == 408 || status == 425 || status == 429) return true;
    return status >= 500 && status != 501 && status != 507 || code.equals("idempotency-in-flight");
  }
}
