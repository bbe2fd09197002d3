package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.transfer.FileMention;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The text of a failure that the other side reads. */
final class FailureTextTest {
  @Test
  void shouldTellTheLastNameOfAFileAndNotWhereItLies() {
    assertEquals(
        "No space left on device: f.part",
        FailureText.of(new FileSystemException("/srv/in/f.part", null, "No space left on device")));
    assertEquals(
        "there is no such file: f", FailureText.of(new NoSuchFileException("/srv/secret/f")));
    assertEquals(
        "access was denied: f",
        FailureText.of(new CompletionException(new AccessDeniedException("/srv/f"))));
    assertEquals("the file system refused: a file", FailureText.of(new FileSystemException(null)));
  }

  @ParameterizedTest
  @MethodSource("wrappers")
  void shouldShortenEveryPathOfTheChainOfCauses(Throwable failure, String told) {
    assertEquals(told, FailureText.of(failure));
  }

  private static Stream<Arguments> wrappers() {
    NoSuchFileException none = new NoSuchFileException("/srv/secret/f");
    return Stream.of(
        arguments(new UncheckedIOException(none), "java.nio.file.NoSuchFileException: f"),
        arguments(
            new IllegalStateException("after 7 bytes because of " + none, new IOException(none)),
            "after 7 bytes because of java.nio.file.NoSuchFileException: f"),
        arguments(
            new IllegalStateException(new FileSystemException("/srv/a", "/srv/b", "no")),
            "java.nio.file.FileSystemException: a -> b: no"),
        arguments(
            new FileNotFoundException("/srv/secret/f (Permission denied)"),
            "f (Permission denied)"),
        arguments(new FileNotFoundException("/srv/secret/f"), "f"),
        arguments(new FileNotFoundException(), "java.io.FileNotFoundException"),
        arguments(new Mentioning("/srv/secret/f"), "cannot read f: why"),
        arguments(new CompletionException(new Mentioning("/srv/secret/f")), "cannot read f: why"),
        arguments(new Mentioning(""), "cannot read : why"),
        arguments(new Mentioning("/"), "cannot read /: why"));
  }

  @Test
  void shouldEndWithAChainOfCausesThatDoesNot() {
    IOException first = new IOException("first");
    first.initCause(new IOException("second", first));
    assertEquals("first", FailureText.of(first));
  }

  private static final class Mentioning extends IOException implements FileMention {
    private static final long serialVersionUID = 1L;

    private final String file;

    Mentioning(String file) {
      super("cannot read " + file + ": why");
      this.file = file;
    }

    @Override
    public String file() {
      return file;
    }
  }

  @Test
  void shouldTellTheMessageOfAnythingElseOrItsName() {
    assertEquals("why", FailureText.of(new IOException("why")));
    assertEquals("why", FailureText.of(new CompletionException(new IOException("why"))));
    assertEquals("java.io.IOException", FailureText.of(new IOException()));
  }

  @Test
  void shouldNameAFailureThatCannotEvenSayWhatItIs() {
    assertEquals(Speechless.class.getName(), FailureText.of(new Speechless()));
  }

  private static final class Speechless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("planted");
    }
  }

  /** An answer with a failure asks for the cause and for the message. */
  @Test
  void shouldLookIntoNoFailureThatDoesNotWrapAnother() {
    RuntimeException odd =
        new RuntimeException("odd") {
          @Override
          public synchronized Throwable getCause() {
            throw new IllegalStateException("planted in getCause");
          }
        };
    assertSame(odd, FailureText.cause(odd));
  }
}
