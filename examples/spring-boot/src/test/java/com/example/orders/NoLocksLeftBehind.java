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
 * within 2 s. Asks a Lockscope that watches the Redis of the test, over HTTP. If Lockscope cannot know it, the test
 * fails too, with an IllegalStateException that says why.
 */
public final class NoLocksLeftBehind implements BeforeEachCallback, AfterEachCallback {
  /** A thread of the application may still be at work when the test method ends. */
  private static final Duration GRACE = Duration.ofSeconds(2);
  /** For Lockscope to connect to Redis, and to read what has happened there. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);
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

  /** Checks only the locks whose names are ours. Other programs, or tests that run at the same time, use the others. */
  public NoLocksLeftBehind(String url, String token, Predicate<String> isOurs) {
    this.url = url;
    this.token = token;
    this.isOurs = isOurs;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws InterruptedException {
    context.getStore(NAMESPACE).put("before", holds());
  }

  @Override
  @SuppressWarnings("unchecked") // the list of beforeEach
  public void afterEach(ExtensionContext context) throws InterruptedException {
    List<Hold> before = (List<Hold>) context.getStore(NAMESPACE).get("before");
    if (before == null) return; // beforeEach has failed, and the test with it
    long end = System.nanoTime() + GRACE.toNanos();
    List<Hold> left = holds();
    left.removeIf(hold -> before.stream().anyMatch(hold::mayBe));
    while (!left.isEmpty() && System.nanoTime() < end) {
      List<Hold> now = holds();
      left.removeIf(hold -> now.stream().noneMatch(hold::mayBe));
      left.replaceAll(hold -> now.stream().filter(hold::mayBe).findFirst().orElseThrow());
    }
    if (left.isEmpty()) return;
    String count = left.size() == 1 ? "a lock" : left.size() + " locks";
    String holds = left.stream().map(hold -> "\n  " + hold).collect(Collectors.joining());
    throw new AssertionError("This test left " + count + " behind:" + holds);
  }

  /** Every hold of a lock of ours, once Lockscope has read all that Redis did before this call. */
  public List<Hold> holds() throws InterruptedException {
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

  private void awaitCaughtUp() throws InterruptedException {
    long asked = System.nanoTime();
    while (true) {
      long agoMs = (System.nanoTime() - asked) / 1_000_000;
      List<String> missing = new ArrayList<>();
      for (Map<String, Object> source : listOf(get("/api/health"), "sources")) {
        String why = whyNotYet(source, agoMs);
        if (why != null) missing.add(source.get("url") + " " + why);
      }
      if (missing.isEmpty()) return;
      if (agoMs > PATIENCE.toMillis()) throw new IllegalStateException("No verdict by " + url + ": " + missing);
      Thread.sleep(20);
    }
  }

  /** Why Lockscope may not know what a server did before the question, which was asked that long ago. Null: it knows. */
  private static String whyNotYet(Map<String, Object> source, long agoMs) {
    boolean hearsChanges = "events".equals(source.get("level")) && "notifications".equals(source.get("keyEvents"));
    boolean seesNewLocks = "monitor".equals(source.get("level")) || hearsChanges;
    double lagMs = ((Number) source.get("lagMs")).doubleValue();
    if (!"observing".equals(source.get("status"))) return "is not watched (" + source.get("status") + ")";
    if (source.get("snapshotAt") == null) return "may have locks from before that are not read yet";
    if (!seesNewLocks) return "is watched at a level that does not see new locks at once. Use --observe monitor";
    if (source.containsKey("missing")) return "has locks that are not read: " + source.get("missing");
    return agoMs < lagMs + BEAT_MS ? "is read with a lag of " + lagMs + " ms" : null;
  }

  private Map<String, Object> get(String path) throws InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
    if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
    try {
      var answer = http.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() == 200) return JsonPath.parse(answer.body()).json();
      throw new IllegalStateException("No verdict: " + url + path + " answered " + answer.statusCode());
    } catch (IOException error) {
      throw new IllegalStateException("No verdict: no Lockscope answers at " + url, error);
    }
  }

  @SuppressWarnings("unchecked") // a list of objects, by the schema of the answer
  private static List<Map<String, Object>> listOf(Map<String, Object> object, String field) {
    return (List<Map<String, Object>>) object.get(field);
  }

  /**
   * One hold of a lock. `client` is the name of its client (CLIENT SETNAME), null if none was seen. Times are by the
   * clock of Redis; `since` is null if Lockscope did not see the hold begin.
   */
  public record Hold(String id, String lock, String holder, String client, LocalTime since, LocalTime leaseEnd) {
    static Hold from(Map<String, Object> lock, Map<String, Object> holder) {
      return new Hold(
          (String) lock.get("id"), (String) lock.get("name"), (String) holder.get("id"), (String) holder.get("name"),
          timeOf(holder.get("since")), timeOf(holder.get("expiresAt")));
    }

    /** Whether both are the same hold. If the beginning of one was not seen, they may be. */
    boolean mayBe(Hold other) {
      boolean isSameTime = since == null || other.since == null || since.equals(other.since);
      return id.equals(other.id) && holder.equals(other.holder) && isSameTime;
    }

    @Override
    public String toString() {
      String who = client == null || client.isEmpty() ? "name not known" : "client " + client;
      String begin = since == null ? "before it was watched" : since.toString();
      String end = leaseEnd == null ? "" : ", lease until " + leaseEnd;
      return "%s  held by %s (%s) since %s%s".formatted(lock, holder, who, begin, end);
    }

    private static LocalTime timeOf(Object micros) {
      if (micros == null) return null;
      Instant instant = Instant.EPOCH.plusNanos(((Number) micros).longValue() * 1000);
      return LocalTime.ofInstant(instant, ZoneId.systemDefault());
    }
  }
}
