package org.livedelta;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps the replicas of a feed up to date: each turn is one question, and what comes of it. */
final class FeedLoop implements Runnable {
  private static final long SAVE_PAUSE_NANOS = 2_000_000_000L;
  private static final long RENEW_MILLIS = 30_000;
  private static final long QUICK_NANOS = 1_000_000_000L;
  private static final int FAILURES_OF_LOOP = 4;
  private static final String ANSWERS = " delta snapshot deleted bookmark sync ";

  private final Feed.Builder options;
  private final UpdateListener listener;
  private final ReplicaSet replicas;
  private final Pacing loops = new Pacing();
  private volatile boolean isClosed;
  private volatile Feed.Status status = Feed.Status.CONNECTING;
  private volatile @Nullable Exchange exchange; // the one at hand
  private boolean isWoken; // guarded by this

  private boolean streams;
  private boolean isStreaming; // what the question at hand is
  private boolean isStale; // the token was refused, or ends soon
  private @Nullable String token;
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
  synchronized void wake(long quietNanos) {
    boolean isQuiet = exchange == null || System.nanoTime() - exchange.heardAt() >= quietNanos;
    if (isQuiet) interrupt("again");
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
      Update update;
      try {
        update = replicas.take(poll(-1), hasPatches());
      } catch (ServiceException error) {
        if (!error.getCode().equals("collection-not-found")) {
          if (attempt > 0 || !mends(error)) throw error;
          continue;
        }
        update = replicas.takeMissing();
      } finally {
        end();
      }
      isUnsaved = update != null;
      save(0);
      return update;
    }
  }

  /** Whether another question can be asked after an error; prepares it. */
  private boolean mends(ServiceException error) {
    String code = error.getCode();
    if (code.equals("bad-token")) replicas.distrust();
    boolean isRefused = error.getStatus() == 401 && !isStale && options.http.tokens != null;
    isStale |= isRefused;
    return isRefused || code.equals("bad-token") || code.equals("mismatch");
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
    if (failures > 0) pause(Pacing.pauseMillis(retryMillis, failures, floor, options.random.getAsDouble()));
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
    if (code.equals("silence") && isStreaming && exchange.isSilent()) {
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
    try (InputStream body = Http.body(ask(true, -1))) {
      EventReader events = new EventReader(body, options.http.bytesMax);
      while (events.next()) {
        if (events.retryMillis() > 0) retryMillis = events.retryMillis();
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
    if (ANSWERS.contains(" " + event.name + " ")) {
      take(data);
    } else if (event.name.equals("problem")) {
      Json status = data.get("status");
      ServiceException problem = Http.problem(status == null ? 0 : status.asInt(), data, 0);
      if (!problem.getCode().equals("collection-not-found")) throw problem;
      publish(replicas.takeMissing());
    } else if (event.name.equals("end")) {
      String reason = data.text("reason");
      throw new ServiceException(reason == null ? "unreachable" : reason, "the service ended the stream");
    } // else a ping, or an event of another release
  }

  private Json poll(int waitSeconds) throws IOException {
    Json answer = options.http.json(ask(false, waitSeconds));
    if (answer == null) throw new ServiceException("malformed", "an empty answer");
    return answer;
  }

  /** Sends a question and waits for the head of an answer that is none of refusal. */
  private Exchange ask(boolean isStream, int waitSeconds) throws IOException {
    Http http = options.http;
    token = http.token(isStale ? token : null);
    isStreaming = isStream;
    Request question = replicas.question(isStream, waitSeconds);
    Exchange exchange = open(question);
    exchange.silenceNanos = options.silenceNanos;
    exchange.firstByteNanos = isStream ? options.firstByteNanos : options.silenceNanos;
    long renewAt = Http.tokenEndMillis(token) - RENEW_MILLIS;
    // This clock may be wrong: the service decides.
    if (renewAt > System.currentTimeMillis()) exchange.renewAt = renewAt;
    if (exchange.head().getStatus() != 200) throw http.refusal(exchange);
    String type = String.valueOf(exchange.head().field("Content-Type"));
    if (isStream && !type.startsWith(Http.EVENTS)) throw new ServiceException("malformed", "no stream but " + type);
    return exchange;
  }

  private synchronized Exchange open(Request question) throws IOException {
    if (isClosed) throw new ServiceException("closed", "closed");
    isWoken = false;
    return exchange = options.http.send(question, token);
  }

  private void take(Json answer) throws IOException {
    boolean isProgress = replicas.isMove;
    replicas.isMove = false;
    isAnswered = true;
    Update update = replicas.take(answer, hasPatches());
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
    String applied = exchange.head().field("Preference-Applied");
    return applied != null && applied.contains("items=patch");
  }

  private void end() {
    Exchange asked = exchange;
    if (asked != null) asked.close();
  }

  private synchronized void interrupt(String code) {
    isWoken = true;
    if (exchange != null) exchange.abort(new ServiceException(code, code));
    notifyAll();
  }

  private synchronized void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    exchange = null;
    try {
      for (long left; !isWoken && !isClosed && (left = end - System.nanoTime()) > 0; ) wait(Math.max(1, left / 1_000_000));
    } catch (InterruptedException error) {
      isClosed = true;
    }
    isWoken = false;
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
    if (exchange != null && status != Feed.Status.LIVE) report(Feed.Status.LIVE, null);
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
      Map<String, Json> terms = replicas.seen(name);
      terms.remove("window"); // that is kept with the content
      owner.append(' ').append(name).append(terms.isEmpty() ? "" : terms);
    }
    return owner.toString();
  }
}
