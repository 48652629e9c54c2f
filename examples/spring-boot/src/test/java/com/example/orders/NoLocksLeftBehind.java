package com.example.orders;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a test that leaves a lock behind: one that is held after the test, was not held before it, and is not released
 * within 2 s. Asks a Lockscope that watches the Redis of the test, over HTTP. If Lockscope cannot know it, the test fails
 * too, with an IllegalStateException that says why.
 */
public final class NoLocksLeftBehind implements BeforeEachCallback, AfterEachCallback {
  /** A thread of the application may still be at work when the test method ends. */
  private static final Duration GRACE = Duration.ofSeconds(2);
  /** For Lockscope to connect to Redis, and to read what has happened there. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  /** Lockscope has reported everything that Redis did longer ago than its lag and this time. */
  private static final long BEAT_MS = 200;

  private static final Namespace NAMESPACE = Namespace.create(NoLocksLeftBehind.class);

  private final HttpClient http = HttpClient.newBuilder().version(Version.HTTP_1_1).build();
  private final String url;
  private final String token;
  private final Predicate<String> isOurs;

  /** The token is empty if Lockscope needs none. */
  public NoLocksLeftBehind(String url, String token) {
    this(url, token, lock -> true);
  }

  /** Asks only about locks whose names are ours: other programs, or tests that run at the same time, use the others. */
  public NoLocksLeftBehind(String url, String token, Predicate<String> isOurs) {
    this.url = url;
    this.token = token;
    this.isOurs = isOurs;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put("before", holds());
  }

  @Override
  @SuppressWarnings("unchecked") // the list of beforeEach
  public void afterEach(ExtensionContext context) {
    List<Hold> before = (List<Hold>) context.getStore(NAMESPACE).get("before");
    if (before == null) return; // beforeEach has failed, and the test with it
    long end = System.nanoTime() + GRACE.toNanos();
    List<Hold> left = new ArrayList<>(holds());
    left.removeIf(hold -> before.stream().anyMatch(hold::mayBe));
    while (!left.isEmpty() && System.nanoTime() < end) {
      List<Hold> earlier = List.copyOf(left);
      left = new ArrayList<>(holds());
      left.removeIf(hold -> earlier.stream().noneMatch(hold::mayBe));
    }
    if (!left.isEmpty()) throw new AssertionError(textOf(left));
  }

  private static String textOf(List<Hold> left) {
    String count = left.size() == 1 ? "a lock" : left.size() + " locks";
    return left.stream().map(Hold::toString).collect(Collectors.joining("\n  ", "This test left " + count + " behind:\n  ", ""));
  }

  /** Every hold of a lock of ours, once Lockscope has read all that Redis did before this call. */
  public List<Hold> holds() {
    awaitCaughtUp();
    Map<String, Object> page = get("/api/locks?held=true&limit=1000");
    if (page.containsKey("nextCursor")) throw new IllegalStateException("No verdict: more than 1000 locks are held.");
    List<Hold> holds = new ArrayList<>();
    for (Map<String, Object> lock : listOf(page, "locks")) {
      if (!isOurs.test((String) lock.get("name"))) continue;
      for (Map<String, Object> holder : listOf(lock, "holders")) holds.add(Hold.from(lock, holder));
    }
    return holds;
  }

  private void awaitCaughtUp() {
    long asked = System.nanoTime();
    while (true) {
      double agoMs = (System.nanoTime() - asked) / 1e6;
      List<String> missing = new ArrayList<>();
      for (Map<String, Object> source : listOf(get("/api/health"), "sources")) {
        String why = whyNot(source, agoMs);
        if (why != null) missing.add(source.get("url") + " " + why);
      }
      if (missing.isEmpty()) return;
      if (agoMs > PATIENCE.toMillis()) throw new IllegalStateException("No verdict by " + url + ": " + missing);
      sleep();
    }
  }

  /** Why Lockscope may not know yet what a server did before the question, which was asked that long ago. */
  private static String whyNot(Map<String, Object> source, double agoMs) {
    boolean seesNewLocks = "monitor".equals(source.get("level"))
        || "events".equals(source.get("level")) && "notifications".equals(source.get("keyEvents"));
    if (!"observing".equals(source.get("status"))) return "is not watched: " + source.get("status");
    if (source.get("snapshotAt") == null) return "has locks from before that are not read yet";
    if (!seesNewLocks) return "is watched without seeing new locks at once. Use --observe monitor";
    if (source.containsKey("missing")) return "has locks that were not read: " + source.get("missing");
    double lagMs = ((Number) source.get("lagMs")).doubleValue();
    return agoMs < lagMs + BEAT_MS ? "was not read so far. The lag is " + lagMs + " ms" : null;
  }

  private Map<String, Object> get(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
    if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
    try {
      var answer = http.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() == 200) return JsonPath.parse(answer.body()).json();
      throw new IllegalStateException("No verdict: " + url + path + " answered " + answer.statusCode());
    } catch (IOException error) {
      throw new IllegalStateException("No verdict: no Lockscope answers at " + url, error);
    } catch (InterruptedException error) {
      throw interrupted(error);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException error) {
      throw interrupted(error);
    }
  }

  private static IllegalStateException interrupted(InterruptedException error) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("No verdict: the test was interrupted", error);
  }

  @SuppressWarnings("unchecked") // a list of objects, by the schema of the answer
  private static List<Map<String, Object>> listOf(Map<String, Object> object, String field) {
    return (List<Map<String, Object>>) object.get(field);
  }

  /**
   * One hold of a lock. The name is that of its client (CLIENT SETNAME), null if none is known. Times are in µs, by the clock of
   * Redis. `since` is null if Lockscope did not see the hold begin.
   */
  public record Hold(String id, String lock, String holder, String name, Long since, Long leaseEnd, String watchdog) {
    static Hold from(Map<String, Object> lock, Map<String, Object> holder) {
      return new Hold(
          (String) lock.get("id"), (String) lock.get("name"), (String) holder.get("id"), (String) holder.get("name"),
          (Long) holder.get("since"), (Long) holder.get("expiresAt"), (String) holder.get("watchdog"));
    }

    /** Whether both are the same hold. If the beginning of one was not seen, they may be. */
    boolean mayBe(Hold other) {
      boolean isSameTime = since == null || other.since == null || since.equals(other.since);
      return id.equals(other.id) && holder.equals(other.holder) && isSameTime;
    }

    @Override
    public String toString() {
      String client = name == null ? "a client without a name" : "client " + name;
      String begin = since == null ? "since before it was watched" : "since " + timeOf(since);
      String end = leaseEnd == null ? "" : ", lease until " + timeOf(leaseEnd);
      String renewed = "on".equals(watchdog) ? ", renewed by its watchdog" : "";
      return "%s  held by %s (%s) %s%s%s".formatted(lock, holder, client, begin, end, renewed);
    }

    private static LocalTime timeOf(long micros) {
      return LocalTime.ofInstant(Instant.ofEpochMilli(micros / 1000), ZoneId.systemDefault());
    }
  }
}
