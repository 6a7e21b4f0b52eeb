package org.livedelta;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps the replicas of a feed up to date: each turn is one question, and what comes of it. */
final class FeedLoop implements Runnable, Exchange.Watch {
  private static final long SAVE_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long RENEW_MILLIS = 30_000;
  private static final long QUICK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int FAILURES_OF_LOOP = 4;

  private final Feed.Builder options;
  private final UpdateListener listener;
  private final ReplicaSet replicas;
  private final Pacing loops = new Pacing();
  private final Object lock = new Object(); // guards what is changed by other threads: exchange, isWoken
  private volatile boolean isClosed;
  private volatile Feed.Status status = Feed.Status.CONNECTING;
  private @Nullable Exchange exchange;
  private @Nullable Question question; // the one at hand
  private boolean isWoken;

  private boolean streams;
  private boolean isStreaming; // what the question at hand is
  private boolean isStale; // the token was refused, or ends soon
  private @Nullable String token;
  private long renewAt; // in milliseconds since 1970
  private long retryMillis = 1000; // the bound of the first pause
  private int failures;
  private boolean isAnswered; // the question at hand had an answer
  private boolean isNews; // and that brought something
  private boolean isUnsaved;
  private long savedAt = System.nanoTime() - SAVE_PAUSE_NANOS;

  FeedLoop(Feed.Builder options, UpdateListener listener) {
    this.options = options;
    this.listener = listener;
    streams = options.usesStream;
    replicas = new ReplicaSet(options);
  }

  Feed.Status status() {
    return status;
  }

  Snapshot snapshot(String name) {
    return replicas.snapshot(name);
  }

  void setWindow(String name, String window) {
    replicas.setWindow(name, window);
    interrupt("again");
  }

  void close() {
    isClosed = true;
    interrupt("closed");
  }

  /** Has the loop ask again, unless something was heard in the last time. */
  void wake(long quietNanos) {
    synchronized (lock) {
      if (exchange != null && System.nanoTime() - exchange.heardAt() < quietNanos) return;
    }
    interrupt("again");
  }

  @Override
  public void run() {
    ServiceException refusal = null;
    try {
      publish(restore());
      while (!isClosed && refusal == null) refusal = turn();
      save(0);
    } finally {
      close();
      report(Feed.Status.CLOSED, refusal);
    }
  }

  /** Asks once, without waiting. */
  @Nullable Update once() throws IOException {
    restore();
    streams = false;
    for (int attempt = 0; ; attempt++) {
      try {
        Update update = replicas.take(poll(-1), hasPatches(), question.windows);
        isUnsaved = update != null;
        save(0);
        return update;
      } catch (ServiceException error) {
        boolean isGone = error.getCode().equals("collection-not-found");
        if (isGone) {
          Update update = replicas.takeMissing();
          isUnsaved = true;
          save(0);
          return update;
        }
        if (attempt > 0 || !mends(error)) throw error;
      } finally {
        end();
      }
    }
  }

  /** Whether another question can be asked after an error; prepares it. */
  private boolean mends(ServiceException error) {
    if (error.getCode().equals("mismatch")) return true;
    if (error.getCode().equals("bad-token")) {
      replicas.distrust();
      return true;
    }
    boolean isRefused = error.getStatus() == 401 && !isStale && options.http.tokens != null;
    if (isRefused) isStale = true;
    return isRefused;
  }

  /** One question; returns why it is over, if it is. */
  private @Nullable ServiceException turn() {
    long asked = options.clock.getAsLong();
    long floor = 0;
    int broke = 0;
    boolean isLoop = false;
    boolean isMended = false;
    isAnswered = false;
    isNews = false;
    try {
      if (streams && replicas.canStream()) {
        stream();
      } else {
        take(poll(options.waitSeconds));
      }
    } catch (IOException error) {
      if (isClosed) return null;
      ServiceException fault = ServiceException.of(error);
      if (isFinal(fault)) return fault;
      if (isMended(fault)) {
        isMended = true;
      } else {
        broke = 1;
        floor = fault.getRetryAfterMillis();
        isLoop = fault.getCode().equals("loop");
      }
    } finally {
      end();
    }
    long now = options.clock.getAsLong();
    // What broke off, or brought nothing in no time, is a failure.
    failures = isNews || isMended || now - asked > QUICK_NANOS ? broke : failures + 1;
    if (isLoop || (broke == 0 && !isAnswered && loops.note(false, now))) failures = Math.max(failures, FAILURES_OF_LOOP);
    if (failures > 0) pause(Pacing.pauseMillis(retryMillis, failures, floor, options.random));
    return null;
  }

  /** Whether the same question meets the same answer, whenever it is asked. */
  private boolean isFinal(ServiceException fault) {
    switch (fault.getStatus()) {
      case 401:
        return isStale || options.http.tokens == null;
      case 400:
        return !fault.getCode().equals("bad-token");
      case 403:
      case 405:
      case 406:
      case 421:
      case 422:
        return true;
      default:
        return false;
    }
  }

  /** Sees to what went wrong; true when the next question is another one, which can be asked at once. */
  private boolean isMended(ServiceException fault) {
    String code = fault.getCode();
    if (code.equals("again") || code.equals("rotate")) return true;
    if (code.equals("renew") || ((fault.getStatus() == 401 || code.equals("token-expired")) && !isStale)) {
      isStale = true;
      return true;
    }
    if (code.equals("silence") && isStreaming && isSilent()) {
      streams = false;
      return true;
    }
    if (code.equals("bad-token")) replicas.distrust();
    if (fault.getStatus() == 0) streams = options.usesStream; // it was not for the stream that nothing came
    if (code.equals("collection-not-found")) {
      publish(replicas.takeMissing());
    } else {
      report(Feed.Status.CONNECTING, fault);
    }
    return false;
  }

  private void stream() throws IOException {
    Exchange exchange = ask(new Question(options, replicas, true, -1));
    try (InputStream body = Http.body(exchange)) {
      EventReader events = new EventReader(body, options.http.bytesMax);
      while (events.next()) {
        if (events.retryMillis() >= 0) retryMillis = Math.min(events.retryMillis(), Pacing.LONGEST_MILLIS);
        take(events);
      }
    }
    throw new ServiceException("unreachable", "the stream was cut");
  }

  private void take(EventReader event) throws IOException {
    Json data;
    try {
      data = event.data.isEmpty() ? Json.NULL : Json.parse(event.data);
    } catch (JsonException error) {
      throw new ServiceException("malformed", error);
    }
    switch (event.name) {
      case "delta":
      case "snapshot":
      case "deleted":
      case "bookmark":
      case "sync":
        take(data);
        return;
      case "problem":
        Json status = data.get("status");
        ServiceException problem = Http.problem(status == null ? 0 : status.asInt(), data, 0);
        if (!problem.getCode().equals("collection-not-found")) throw problem;
        publish(replicas.takeMissing());
        return;
      case "end":
        String reason = data.text("reason");
        throw new ServiceException(reason == null ? "unreachable" : reason, "the service ended the stream");
      default: // a ping, or an event of another release
    }
  }

  private Json poll(int waitSeconds) throws IOException {
    Exchange exchange = ask(new Question(options, replicas, false, waitSeconds));
    Json answer = options.http.json(exchange);
    if (answer == null) throw new ServiceException("malformed", "an empty answer");
    return answer;
  }

  /** Sends a question and waits for the head of an answer that is none of refusal. */
  private Exchange ask(Question question) throws IOException {
    token = options.http.token(isStale ? token : null);
    renewAt = Http.tokenEndMillis(token) - RENEW_MILLIS;
    // This clock may be wrong: the service decides.
    if (renewAt < System.currentTimeMillis()) renewAt = Long.MAX_VALUE;
    isStreaming = question.fields.containsKey("Accept");
    this.question = question;
    Exchange exchange;
    synchronized (lock) {
      if (isClosed) throw new ServiceException("closed", "closed");
      isWoken = false;
      exchange = options.http.send(question.method, question.path, question.fields, token, question.body, this);
      this.exchange = exchange;
    }
    if (exchange.head().getStatus() != 200) throw options.http.refusal(exchange);
    String type = String.valueOf(exchange.head().field("Content-Type"));
    if (isStreaming && !type.startsWith(Http.EVENTS)) throw new ServiceException("malformed", "no stream but " + type);
    return exchange;
  }

  /** How long to wait for the next byte: the limit of patience, or until the token must be renewed. */
  @Override
  public long left(long now, long heardAt, boolean isSilent) throws IOException {
    long left = (isSilent && isStreaming ? options.firstByteNanos : options.silenceNanos) - (now - heardAt);
    if (left <= 0) throw new ServiceException("silence", "nothing came for too long");
    long valid = renewAt - System.currentTimeMillis();
    if (valid <= 0) throw new ServiceException("renew", "the token ends soon");
    return Math.min(left, TimeUnit.MILLISECONDS.toNanos(Math.min(valid, RENEW_MILLIS)));
  }

  private void take(Json answer) throws IOException {
    boolean isProgress = question.isMove;
    question.isMove = false;
    isAnswered = true;
    Update update = replicas.take(answer, hasPatches(), question.windows);
    isStale = false;
    if (update != null) {
      for (Change change : update.getChanges().values()) {
        String version = change.getAfter().getVersion();
        isProgress |= loops.isProgress(version == null ? "" : version);
      }
      isNews = true;
    }
    publish(update);
    if (loops.note(isProgress, options.clock.getAsLong())) throw new ServiceException("loop", "answers came in a circle");
  }

  private boolean hasPatches() throws IOException {
    String applied = current().head().field("Preference-Applied");
    return applied != null && applied.contains("items=patch");
  }

  private Exchange current() {
    synchronized (lock) {
      return exchange;
    }
  }

  private boolean isSilent() {
    Exchange exchange = current();
    return exchange != null && exchange.isSilent();
  }

  private void end() {
    Exchange exchange = current();
    if (exchange != null) exchange.close();
  }

  private void interrupt(String code) {
    synchronized (lock) {
      isWoken = true;
      if (exchange != null) exchange.abort(new ServiceException(code, code));
      lock.notifyAll();
    }
  }

  private void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    synchronized (lock) {
      exchange = null;
      try {
        for (long left; !isWoken && !isClosed && (left = end - System.nanoTime()) > 0; ) {
          lock.wait(Math.max(1, left / 1_000_000));
        }
      } catch (InterruptedException error) {
        isClosed = true;
      }
      isWoken = false;
    }
  }

  /** Tells the listener of a change, and that the feed is live if the service told of it. */
  private void publish(@Nullable Update update) {
    if (update != null) {
      boolean isKept = update.getChange().getKind() == Change.Kind.KEPT;
      isUnsaved = !isKept;
      options.executor.execute(() -> {
        if (!isClosed) listener.onUpdate(update);
      });
      save(SAVE_PAUSE_NANOS);
    }
    if (exchangeIsOpen() && status != Feed.Status.LIVE) report(Feed.Status.LIVE, null);
  }

  private boolean exchangeIsOpen() {
    return current() != null;
  }

  private void report(Feed.Status status, @Nullable ServiceException problem) {
    this.status = status;
    options.executor.execute(() -> options.statusListener.onStatus(status, problem));
  }

  private @Nullable Update restore() {
    return options.file == null ? null : replicas.restore(options.file.load(owner()));
  }

  /** Writes the file if there is news, and it was not written a moment ago. */
  private void save(long pauseNanos) {
    if (options.file == null || !isUnsaved || System.nanoTime() - savedAt < pauseNanos) return;
    savedAt = System.nanoTime();
    isUnsaved = false;
    try {
      options.file.save(owner(), replicas.kept());
    } catch (IOException error) {
      // It costs an initial load at the next start.
      report(status, new ServiceException("file", error));
    }
  }

  /** Whose content a file has. */
  private String owner() {
    StringBuilder owner = new StringBuilder(options.http.origin + options.path + " " + options.idPath);
    for (String name : options.names) {
      View view = options.views.getOrDefault(name, new View()).copy();
      view.terms.remove("window"); // that is kept with the content
      owner.append(' ').append(name).append(view.terms.isEmpty() ? "" : view.terms);
    }
    return owner.toString();
  }
}
