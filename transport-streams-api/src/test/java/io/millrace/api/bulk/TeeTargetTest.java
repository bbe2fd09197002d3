package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.body.BodyTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two targets of one transfer. */
final class TeeTargetTest {
  private static final int MANY = 1_000_003;

  private final ScriptedTarget primary = new ScriptedTarget();
  private final ScriptedTarget cache = new ScriptedTarget();
  private final List<String> dropped = new ArrayList<>();
  private final byte[] bytes = TestBytes.random(MANY, 21);

  private BodyTarget tee(TeePolicy policy) {
    return BulkTarget.tee(primary, cache, policy, failure -> dropped.add(failure.getMessage()));
  }

  private String failure(TeePolicy policy) {
    IOException failure =
        assertThrows(IOException.class, () -> BodyDriver.run(BulkSource.of(bytes), tee(policy), 1));
    return String.valueOf(failure.getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveBothIdenticalBytes(TeePolicy policy, @TempDir Path directory) throws IOException {
    Path file = directory.resolve("to");
    byte[] memory = new byte[MANY];
    BodyDriver.run(
        BulkSource.of(bytes),
        BulkTarget.tee(BulkTarget.file(file), BulkTarget.into(memory), policy),
        2);
    assertArrayEquals(bytes, Files.readAllBytes(file));
    assertArrayEquals(bytes, memory);
  }

  @Test
  void shouldFailBothWhenTheCacheFails() {
    cache.writesLeft = 3;
    assertEquals("no more writes", failure(TeePolicy.FAIL_BOTH));
    assertEquals(List.of("abort: no more writes"), primary.ends);
    assertEquals(List.of("abort: no more writes"), cache.ends);
  }

  @Test
  void shouldDropTheCacheAloneWhenItFails() throws IOException {
    cache.writesLeft = 3;
    BodyDriver.run(BulkSource.of(bytes), tee(TeePolicy.DROP_CACHE), 3);
    assertArrayEquals(bytes, primary.bytes.toByteArray());
    assertEquals(List.of("complete"), primary.ends);
    assertEquals(List.of("abort: no more writes"), cache.ends);
    assertEquals(List.of("no more writes"), dropped);
  }

  @ParameterizedTest
  @EnumSource
  void shouldFailBothWhenThePrimaryFails(TeePolicy policy) {
    primary.writesLeft = 3;
    assertEquals("no more writes", failure(policy));
    assertEquals(List.of("abort: no more writes"), primary.ends);
    assertEquals(List.of("abort: no more writes"), cache.ends);
    assertEquals(List.of(), dropped);
  }

  @Test
  void shouldNotCompleteThePrimaryWhenTheCacheCannot() {
    cache.isCompletable = false;
    assertEquals("cannot complete", failure(TeePolicy.FAIL_BOTH));
    assertEquals(List.of("abort: cannot complete"), primary.ends);
    assertEquals(List.of("complete"), cache.ends);
  }

  @Test
  void shouldCompleteThePrimaryThoughTheCacheCannot() throws IOException {
    cache.isCompletable = false;
    BodyDriver.run(BulkSource.of(bytes), tee(TeePolicy.DROP_CACHE), 4);
    assertEquals(List.of("complete"), primary.ends);
    assertEquals(List.of("complete"), cache.ends);
    assertEquals(List.of("cannot complete"), dropped);
  }

  @Test
  void shouldAbortTheCacheWhenThePrimaryCannotComplete() {
    primary.isCompletable = false;
    assertEquals("cannot complete", failure(TeePolicy.DROP_CACHE));
    assertEquals(List.of("complete"), primary.ends);
    assertEquals(List.of("abort: cannot complete"), cache.ends);
  }

  @Test
  void shouldResumeOnceWhenBothHaveRoom() {
    BodyTarget tee = tee(TeePolicy.FAIL_BOTH);
    List<String> resumes = new ArrayList<>();
    tee.start(() -> resumes.add("resume"));
    primary.isFull = true;
    cache.isFull = true;
    assertFalse(tee.isReady());
    assertEquals(0, cache.askedWhenFull);
    primary.drain();
    assertEquals(List.of(), resumes);
    assertEquals(1, cache.askedWhenFull);
    cache.drain();
    assertEquals(List.of("resume"), resumes);
    assertTrue(tee.isReady());
    primary.drain();
    assertEquals(List.of("resume"), resumes);
  }

  @Test
  void shouldNotWaitForADroppedCache() throws IOException {
    BodyTarget tee = tee(TeePolicy.DROP_CACHE);
    tee.start(() -> {});
    cache.writesLeft = 0;
    tee.write(bytes, 0, 10);
    cache.isFull = true;
    assertTrue(tee.isReady());
  }

  @Test
  void shouldKeepToAPublishedPrimaryWhateverComesOfTheCache() throws IOException {
    cache.isCompletable = false;
    assertEquals(List.of("planted"), handledWhile(this::runWithThrowingListener));
    assertEquals(List.of("complete"), primary.ends);
    assertArrayEquals(bytes, primary.bytes.toByteArray());
  }

  @Test
  void shouldGoOnWithoutACacheWhateverComesOfIt() throws IOException {
    cache.writesLeft = 3;
    cache.isAbortable = false;
    assertEquals(List.of("planted"), handledWhile(this::runWithThrowingListener));
    assertEquals(List.of("complete"), primary.ends);
    assertArrayEquals(bytes, primary.bytes.toByteArray());
    assertEquals(List.of("abort: no more writes"), cache.ends);
  }

  private void runWithThrowingListener() throws IOException {
    BodyTarget tee =
        BulkTarget.tee(
            primary,
            cache,
            TeePolicy.DROP_CACHE,
            failure -> {
              throw new IllegalStateException("planted");
            });
    BodyDriver.run(BulkSource.of(bytes), tee, 5);
  }

  private interface Step {
    void run() throws IOException;
  }

  /** What this thread's handler is told while the step is taken. */
  private static List<String> handledWhile(Step step) throws IOException {
    List<String> handled = new ArrayList<>();
    Thread thread = Thread.currentThread();
    thread.setUncaughtExceptionHandler((in, thrown) -> handled.add(thrown.getMessage()));
    try {
      step.run();
    } finally {
      thread.setUncaughtExceptionHandler(null);
    }
    return handled;
  }
}
