package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** The target cannot take the cache back, so the node tells a listener that can. */
  @Test
  void shouldTellOfACacheThatIsCompleteWithoutItsPrimary() {
    primary.isCompletable = false;
    assertEquals("cannot complete", failure(TeePolicy.FAIL_BOTH));
    assertEquals(List.of("complete"), primary.ends);
    assertEquals(List.of("complete"), cache.ends);
    assertEquals(List.of("cannot complete"), dropped);
  }

  @Test
  void shouldFailAsThePrimaryDoesWhateverComesOfTellingOfItsCache() throws IOException {
    primary.isCompletable = false;
    BodyTarget tee =
        BulkTarget.tee(
            primary,
            cache,
            TeePolicy.FAIL_BOTH,
            failure -> {
              throw new IllegalStateException("planted");
            });
    List<String> handled =
        handledWhile(
            () ->
                assertEquals(
                    "cannot complete",
                    assertThrows(IOException.class, tee::complete).getMessage()));
    assertEquals(List.of("planted"), handled);
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
    cache.thrownByAbort = new IllegalStateException("cannot abort");
    assertEquals(List.of("planted"), handledWhile(this::runWithThrowingListener));
    assertEquals(List.of("complete"), primary.ends);
    assertArrayEquals(bytes, primary.bytes.toByteArray());
    assertEquals(List.of("abort: no more writes"), cache.ends);
  }

  /** A cache throws these exceptions at these places; by the policy, the transfer survives. */
  @ParameterizedTest
  @CsvSource({"start, false", "start, true", "ready, false", "ready, true", "write, true"})
  void shouldGoOnWithoutACacheThatThrowsAnywhere(String where, boolean isError) throws IOException {
    Throwable planted = plant(where, isError);
    List<String> handled =
        handledWhile(() -> BodyDriver.run(BulkSource.of(bytes), tee(TeePolicy.DROP_CACHE), 6));
    assertArrayEquals(bytes, primary.bytes.toByteArray());
    assertEquals(List.of("complete"), primary.ends);
    assertEquals(List.of("abort: planted in " + where), cache.ends);
    assertEquals(List.of(isError ? "the cache failed" : planted.getMessage()), dropped);
    assertEquals(isError ? List.of(planted.getMessage()) : List.of(), handled);
  }

  @ParameterizedTest
  @CsvSource({"start, false", "start, true", "ready, false", "ready, true", "write, true"})
  void shouldFailBothWhereverTheCacheThrows(String where, boolean isError) {
    Throwable planted = plant(where, isError);
    BodyTarget tee = tee(TeePolicy.FAIL_BOTH);
    Executable run =
        () -> {
          tee.start(() -> {});
          tee.isReady();
          tee.write(bytes, 0, 10);
        };
    assertSame(planted, assertThrows(Throwable.class, run));
    tee.abort(planted);
    assertEquals(List.of("abort: planted in " + where), primary.ends);
    assertEquals(primary.ends, cache.ends);
    assertEquals(List.of(), dropped);
  }

  private Throwable plant(String where, boolean isError) {
    String text = "planted in " + where;
    Throwable planted = isError ? new AssertionError(text) : new IllegalStateException(text);
    switch (where) {
      case "start" -> cache.thrownByStart = planted;
      case "ready" -> cache.thrownByReady = planted;
      default -> cache.thrownByWrite = planted;
    }
    return planted;
  }

  /**
   * Another thread than the transfer's finds the exception; the transfer's thread must not stay
   * asleep.
   */
  @ParameterizedTest
  @EnumSource
  void shouldWakeTheTransferForACacheThatThrowsWhileItIsWaitedFor(TeePolicy policy) {
    BodyTarget tee = tee(policy);
    List<String> resumes = new ArrayList<>();
    tee.start(() -> resumes.add("resume"));
    cache.isFull = true;
    assertFalse(tee.isReady());
    cache.thrownByReady = new IllegalStateException("planted");
    cache.drain();
    assertEquals(List.of("resume"), resumes);
    assertEquals(List.of(), cache.ends, "that is for the transfer's thread");
    if (policy == TeePolicy.FAIL_BOTH) {
      assertThrows(IllegalStateException.class, tee::isReady);
    } else {
      assertTrue(tee.isReady());
      assertEquals(List.of("abort: planted"), cache.ends);
      assertEquals(List.of("planted"), dropped);
    }
  }

  @Test
  void shouldTellWhyThePrimaryFailedThoughTheCacheThrowsAnErrorWhenAborted() {
    primary.isCompletable = false;
    Error planted = new AssertionError("planted");
    cache.thrownByAbort = planted;
    BodyTarget tee = tee(TeePolicy.DROP_CACHE);
    IOException failure = assertThrows(IOException.class, tee::complete);
    assertEquals("cannot complete", failure.getMessage());
    assertArrayEquals(new Throwable[] {planted}, failure.getSuppressed());
  }

  @Test
  void shouldAbortBothAndTellFirstWhatThePrimaryThrows() {
    Error first = new AssertionError("the primary");
    Error second = new AssertionError("the cache");
    primary.thrownByAbort = first;
    cache.thrownByAbort = second;
    BodyTarget tee = tee(TeePolicy.FAIL_BOTH);
    IOException cause = new IOException("over");
    assertSame(first, assertThrows(AssertionError.class, () -> tee.abort(cause)));
    assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    assertEquals(List.of("abort: over"), primary.ends);
    assertEquals(List.of("abort: over"), cache.ends);
  }

  /** A throwable cannot suppress itself. */
  @Test
  void shouldTakeACacheThatThrowsWhatItWasAbortedFor() {
    primary.thrownByAbort = new IllegalStateException("the same");
    cache.thrownByAbort = primary.thrownByAbort;
    BodyTarget tee = tee(TeePolicy.FAIL_BOTH);
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> tee.abort(new IOException("over")));
    assertEquals("the same", thrown.getMessage());
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

  /** Returns the exceptions passed to this thread's handler during the step. */
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
