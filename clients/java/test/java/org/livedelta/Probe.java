package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Collects what a feed tells, and waits for it. */
final class Probe implements UpdateListener, StatusListener {
  /** A filter that leaves a stream alone. */
  static final Proxy.Filter PASS = piece -> piece;
  /** How long a test waits for what takes milliseconds where nothing else runs. */
  static final long PATIENCE_SECONDS = 300;

  final BlockingQueue<Update> updates = new LinkedBlockingQueue<>();
  final BlockingQueue<ServiceException> problems = new LinkedBlockingQueue<>();
  final BlockingQueue<Feed.Status> statuses = new LinkedBlockingQueue<>();
  final List<Change> changes = new ArrayList<>();

  @Override
  public void onUpdate(Update update) {
    updates.add(update);
  }

  @Override
  public void onStatus(Feed.Status status, ServiceException problem) {
    if (problem != null) problems.add(problem);
    statuses.add(status);
  }

  /** Waits for a problem with a code; others before it are passed over. */
  ServiceException problem(String code) throws InterruptedException {
    while (true) {
      ServiceException problem = problems.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull(problem, "no problem " + code);
      if (problem.getCode().equals(code)) return problem;
    }
  }

  void await(Feed.Status status) throws InterruptedException {
    while (true) {
      Feed.Status next = statuses.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull(next, "never " + status);
      if (next == status) return;
    }
  }

  /** Waits for the next change of a collection. */
  Change next(String name) throws InterruptedException {
    while (true) {
      Update update = updates.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull(update, "no change of " + name);
      Change change = update.get(name);
      if (change == null) continue;
      changes.add(change);
      return change;
    }
  }

  /** Waits until a collection has a version. */
  Change await(String name, String version) throws InterruptedException {
    Change last = changes.isEmpty() ? null : changes.get(changes.size() - 1);
    while (last == null || !version.equals(last.getAfter().getVersion())) last = next(name);
    return last;
  }

  /** Waits for what a GET answered, and compares. */
  Change await(String name, Json newest) throws InterruptedException {
    Change change = await(name, newest.text("version"));
    assertSame(newest, change.getAfter());
    return change;
  }

  static void assertSame(Json newest, Snapshot held) {
    Json.Builder expected = Json.object().put("sections", newest.get("sections"));
    if (newest.get("meta") != null) expected.put("meta", newest.get("meta"));
    assertEquals(expected.build(), held.toJson());
    assertEquals(newest.text("seq"), Long.toString(held.getSeq()));
  }
}
