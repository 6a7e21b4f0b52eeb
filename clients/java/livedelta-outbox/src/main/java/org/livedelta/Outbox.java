package org.livedelta;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A collection with the edits of this device: they show at once, and are sent until the service has taken or refused
 * them.
 *
 * <pre>{@code
 * Outbox outbox = new Outbox(client, "inbox", file, mainExecutor, adapter::show);
 * Feed feed = client.feed("inbox").file(kept).start(outbox);
 * outbox.edit(new Edits().merge("m1", Json.parse("{\"unread\":false}")));
 * }</pre>
 *
 * <p>Edits are kept in a file and sent in order, one call of {@link #edit} after the other, each with an idempotency key
 * and the version that it rests on: whatever is cut or killed meanwhile, each is carried out once. What changes at the
 * service meanwhile is shown with the edits carried out on it. Safe for use by several threads.
 */
public final class Outbox implements UpdateListener, Closeable {
  /** For how long, and over how many writes, a service knows a key: 24 hours, and 1,000. */
  private static final long KNOWN_MILLIS = TimeUnit.HOURS.toMillis(23);
  private static final long KNOWN_WRITES = 900;
  private static final long FIRST_PAUSE_MILLIS = 250;
  /**
   * The codes that refuse edits for good, wherever and whenever they are sent. Any other answer speaks of the moment, of how
   * things are set up, or comes from a proxy: the edits are sent again later.
   */
  private static final Set<String> FINAL_CODES = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
      "bad-json", "bad-snapshot", "body-too-large", "collection-not-found", "duplicate-id", "edit-conflict", "has-source",
      "idempotency-key-reuse", "insufficient-scope", "too-deep", "too-many-items")));

  private final Sender sender;
  private final String collection;
  private final String path;
  private final String idPath;
  private final Executor executor;
  private final OutboxListener listener;
  private final OutboxFile file;
  private final List<OutboxEntry> entries; // in order; those that were taken, until the feed has them
  private final Thread thread = Exchange.daemon(this::run, "livedelta-outbox");
  private Snapshot held = Snapshot.EMPTY;
  private Snapshot shown = Snapshot.EMPTY;
  private boolean isPlain = true; // what is shown is what is held
  private long nextKey;
  private boolean isWoken;
  private boolean isClosed;

  /**
   * Opens an outbox, and begins to send what its file has.
   *
   * @param client whose collection it is
   * @param collection its name
   * @param file where edits are kept, in a directory that exists; of this outbox alone
   * @param executor runs one task after the other, such as Android's main executor
   * @param listener is called there
   * @throws IOException if the file cannot be read, or is another's
   */
  public Outbox(
      LiveDeltaClient client, String collection, File file, Executor executor,
      OutboxListener listener) throws IOException {
    this(client, collection, file, executor, listener, "/id");
  }

  /**
   * Opens an outbox of a collection with the setting {@code idPath}.
   *
   * @param client whose collection it is
   * @param collection its name
   * @param file where edits are kept, in a directory that exists; of this outbox alone
   * @param executor runs one task after the other, such as Android's main executor
   * @param listener is called there
   * @param idPath the JSON Pointer to the id of an item
   * @throws IOException if the file cannot be read, or is another's
   */
  public Outbox(
      LiveDeltaClient client, String collection, File file, Executor executor,
      OutboxListener listener, String idPath) throws IOException {
    sender = new Sender(client.http);
    this.collection = collection;
    path = client.path + "/collections/" + Http.encode(collection);
    this.executor = executor;
    this.listener = listener;
    this.idPath = idPath;
    this.file = new OutboxFile(file, sender.http.origin + path);
    try {
      entries = this.file.load();
    } catch (IOException error) {
      this.file.close();
      throw error;
    }
    if (!this.file.damage.isEmpty()) {
      ServiceException damage = new ServiceException("file", "damaged in the file of edits: " + this.file.damage);
      tell(() -> listener.onProblem(damage));
    }
    thread.start();
  }

  /** {@return what is shown: the newest content, with the edits that are under way} */
  public synchronized Snapshot getSnapshot() {
    return shown;
  }

  /** {@return the edits that the service has neither taken nor refused yet, in order} */
  public synchronized List<Edits> getPending() {
    List<Edits> pending = new ArrayList<>();
    for (OutboxEntry entry : entries) if (entry.takenSeq == 0) pending.add(Edits.of(entry.edits));
    return pending;
  }

  /**
   * Makes edits. When it returns they are on the disk and on their way to be shown. Writes a file: not for the main
   * thread.
   *
   * @param edits the edits; all are made, in one version, or none
   * @throws IOException if they refer to what is not there ({@code edit-conflict}), or cannot be kept; then they are not
   *     made
   */
  public synchronized void edit(Edits edits) throws IOException {
    if (isClosed) throw new ServiceException("closed", "closed");
    OutboxEntry entry = new OutboxEntry(IdempotencyKeys.next(), edits.toJson());
    if (shown.getVersion() != null) {
      try {
        new Draft(shown.getRows(), idPath).edit(entry.edits);
      } catch (JsonException error) {
        throw new ServiceException("edit-conflict", error);
      }
    }
    file.write(entry.toJson());
    entries.add(entry);
    show(null);
    wake();
  }

  /** Sends at once: the network is back. */
  public synchronized void wake() {
    isWoken = true;
    notifyAll();
  }

  /** Takes what changed at the service; called by the feed that follows the collection. */
  @Override
  public synchronized void onUpdate(Update update) {
    Change change = update.get(collection);
    if (change == null || isClosed) return;
    held = change.getAfter();
    boolean isOther = change.getKind() != Change.Kind.DELTA;
    entries.removeIf(entry -> entry.takenSeq > 0 && (isOther || entry.takenSeq <= held.getSeq()));
    show(change);
  }

  /** Stops sending. What is not taken yet stays in the file. Nobody is told of anything afterwards. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      isClosed = true;
      file.close();
    }
    thread.interrupt();
  }

  /** Shows what is held with the entries carried out on it. */
  private void show(@Nullable Change change) {
    Draft draft = new Draft(held.getRows(), idPath);
    for (OutboxEntry entry : entries) {
      try {
        draft.edit(entry.edits);
      } catch (JsonException error) {
        // It does not fit any more: the service refuses it, or carried it out before others.
      }
    }
    Snapshot before = shown;
    Snapshot after = new Snapshot(held.getVersion(), held.getSeq(), keyed(draft.rows()), held.getMeta(), held.getView());
    boolean isNext = change != null && isPlain && entries.isEmpty();
    isPlain = entries.isEmpty();
    shown = after;
    List<Op> steps = isNext ? change.getOps() : Dialects.steps(before.getRows(), after.getRows());
    if (change == null && steps.isEmpty()) return;
    Change.Kind kind = change == null ? Change.Kind.DELTA : change.getKind();
    String reason = change == null ? null : change.getReason();
    Change told = new Change(kind, before, after, steps, reason, change == null || change.isAnimated());
    tell(() -> listener.onChange(told));
  }

  /** The rows with the keys that they are shown with, so that a row stays the same when the service has it too. */
  private Row[] keyed(List<Row> rows) {
    Map<String, Row> items = new HashMap<>();
    Map<String, Row> headers = new HashMap<>();
    for (Row row : shown.getRows()) (row.isHeader() ? headers : items).put(row.getId(), row);
    Row[] keyed = new Row[rows.size()];
    for (int at = 0; at < keyed.length; at++) {
      Row row = rows.get(at);
      Row old = (row.isHeader() ? headers : items).get(row.getId());
      keyed[at] = old == null ? new Row(row.isHeader(), row.getId(), row.getContent(), nextKey++) : old.with(row.getContent());
    }
    return keyed;
  }

  private void tell(Runnable task) {
    executor.execute(() -> {
      synchronized (this) {
        if (isClosed) return;
      }
      task.run();
    });
  }

  private void run() {
    int failures = 0;
    int conflicts = 0;
    try {
      for (OutboxEntry entry; (entry = next()) != null; ) {
        ServiceException fault = send(entry);
        failures = fault == null ? 0 : failures + 1;
        conflicts = fault != null && isOutdated(fault) ? conflicts + 1 : 0;
        if (fault == null) continue;
        // Others edit the list as well: one conflict is not worth telling.
        if (conflicts != 1) tell(() -> listener.onProblem(fault));
        pause(Pacing.pauseMillis(FIRST_PAUSE_MILLIS, failures, fault.getRetryAfterMillis(), Math.random()));
      }
    } catch (InterruptedException error) {
      // It was closed.
    }
  }

  /** Waits for an entry to send; null when it is closed. */
  private synchronized @Nullable OutboxEntry next() throws InterruptedException {
    while (!isClosed) {
      for (OutboxEntry entry : entries) if (entry.takenSeq == 0) return entry;
      wait();
    }
    return null;
  }

  private synchronized void pause(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    isWoken = false;
    for (long left; !isWoken && !isClosed && (left = end - System.nanoTime()) > 0; ) wait(Math.max(1, left / 1_000_000));
  }

  /** Sends an entry; returns why it must be sent again later, if it must. */
  private @Nullable ServiceException send(OutboxEntry entry) {
    boolean isFirst = entry.sentMillis == 0;
    try {
      Map<String, String> fields = begin(entry, needsVersion(entry) ? newest() : Json.NULL);
      if (fields == null) {
        end(entry, new ServiceException("outcome-unknown", "the service may have forgotten whether it took the edits"));
        return null;
      }
      String method = sender.http.transport.sends("PATCH") ? "PATCH" : "POST";
      byte[] body = Http.bytes(Json.object().put("edits", entry.edits).build());
      Json answer = sender.send(method, path, fields, body, 0);
      if (answer == null || answer.text("seq") == null) throw new ServiceException("malformed", "no receipt");
      synchronized (this) {
        entry.takenSeq = answer.get("seq").asLong();
        entry.takenVersion = answer.text("version");
      }
      end(entry, null);
      return null;
    } catch (IOException | JsonException error) {
      ServiceException fault =
          error instanceof IOException ? ServiceException.of((IOException) error) : new ServiceException("malformed", error);
      return decide(entry, fault, isFirst);
    }
  }

  /** Whether only the newest version tells when the key of an entry is forgotten: it rests on none. */
  private synchronized boolean needsVersion(OutboxEntry entry) {
    if (entry.sentMillis != 0) return entry.rests == null;
    return held.getVersion() == null && entries.get(0) == entry;
  }

  /** Asks for the newest version, without its contents; null if there is none, or it may not be read. */
  private Json newest() throws IOException {
    try {
      Json newest = sender.send("GET", path + "?window=first:0", Collections.emptyMap(), null, 0);
      if (newest == null || newest.text("version") == null) throw new ServiceException("malformed", "no version");
      return newest;
    } catch (ServiceException error) {
      int status = error.getStatus();
      if (!isOfService(error) || status != 403 && status != 404 && status != 410) throw error;
      return Json.NULL;
    }
  }

  /** What becomes of an entry that has no receipt; returns why it is sent again later, if it is. */
  private @Nullable ServiceException decide(OutboxEntry entry, ServiceException fault, boolean isFirst) {
    boolean isFinal = isOfService(fault) && FINAL_CODES.contains(fault.getCode());
    if (!isFinal && !isOutdated(fault)) return fault;
    try {
      if (isFinal) {
        end(entry, fault);
        return null;
      }
      // What was sent before may have been carried out, and what is held be older than the service's knowledge of its key.
      Json newest = isFirst && fault.getCurrent() != null ? Json.NULL : newest();
      if (!isKnown(entry, newest)) {
        end(entry, new ServiceException("outcome-unknown", fault));
        return null;
      }
      rest(entry, newest.isNull() ? fault.getCurrent() : newest.text("version"), newest);
      return fault;
    } catch (ServiceException error) {
      return error;
    } catch (IOException error) {
      return new ServiceException("file", error);
    }
  }

  /** Whether the service refused, and not something between it and the client. */
  private static boolean isOfService(ServiceException fault) {
    return fault.getProblem() != null && fault.getProblem().text("code") != null;
  }

  /** Whether the service takes edits only if they rest on its newest version. */
  private static boolean isOutdated(ServiceException fault) {
    String code = fault.getCode();
    return isOfService(fault) && (code.equals("version-conflict") || code.equals("precondition-required"));
  }

  /** The header fields of an entry, which is noted as sent; null if it must not be sent any more. */
  private synchronized @Nullable Map<String, String> begin(OutboxEntry entry, Json newest) throws IOException {
    if (entry.sentMillis == 0) {
      entry.sentMillis = System.currentTimeMillis();
      entry.sentSeq = seq(newest);
      entry.rests = newest.isNull() ? held.getVersion() : newest.text("version");
      for (OutboxEntry other : entries) if (other.takenSeq > 0) entry.rests = other.takenVersion;
      try {
        note(entry);
      } catch (IOException error) {
        entry.sentMillis = 0;
        throw error;
      }
    }
    if (entry.rests == null && !isKnown(entry, newest)) return null;
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("Content-Type", Http.EDITS);
    fields.put("Idempotency-Key", entry.key);
    if (entry.rests != null) fields.put("Collection-If-Version", entry.rests);
    return fields;
  }

  private boolean isKnown(OutboxEntry entry, Json newest) {
    return System.currentTimeMillis() - entry.sentMillis < KNOWN_MILLIS && seq(newest) - entry.sentSeq <= KNOWN_WRITES;
  }

  /** The number of what is held, or of the newest version if that was asked for. */
  private synchronized long seq(Json newest) {
    return newest.isNull() ? held.getSeq() : Math.max(held.getSeq(), newest.get("seq").asLong());
  }

  /** Has an entry rest on another version: the one that it rested on is not the newest, and it was not carried out. */
  private synchronized void rest(OutboxEntry entry, @Nullable String version, Json newest) throws IOException {
    entry.rests = version;
    entry.sentMillis = System.currentTimeMillis();
    entry.sentSeq = Math.max(entry.sentSeq, seq(newest));
    note(entry);
  }

  private void note(OutboxEntry entry) throws IOException {
    if (isClosed) throw new ServiceException("closed", "closed");
    file.write(entry.sent());
  }

  /** The service has taken an entry, or refused it: then it is taken back. */
  private synchronized void end(OutboxEntry entry, @Nullable ServiceException refusal) throws IOException {
    if (isClosed) return;
    List<OutboxEntry> left = new ArrayList<>(entries);
    left.removeIf(other -> other == entry || other.takenSeq > 0);
    if (refusal == null) {
      if (entry.takenSeq <= held.getSeq()) entries.remove(entry);
      show(null);
      file.done(entry.key, left);
    } else {
      file.done(entry.key, left);
      entries.remove(entry);
      show(null);
      tell(() -> listener.onRefused(Edits.of(entry.edits), refusal));
    }
  }
}
