package io.millrace.actor.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What the other side reads. */
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
}
