package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A target that records its calls, and fails or fills up at the test's command. The test may also
 * plant an unchecked exception for the target to throw.
 */
final class ScriptedTarget implements BodyTarget {
  final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  final List<String> ends = new ArrayList<>();
  int writesLeft = Integer.MAX_VALUE;
  boolean isCompletable = true;
  boolean isFull;
  int askedWhenFull;
  @Nullable Throwable thrownByStart;
  @Nullable Throwable thrownByReady;
  @Nullable Throwable thrownByWrite;
  @Nullable Throwable thrownByAbort;
  private Runnable resume = () -> {};

  @Override
  public void start(Runnable resume) {
    this.resume = resume;
    throwIfPlanted(thrownByStart);
  }

  @Override
  public boolean isReady() {
    throwIfPlanted(thrownByReady);
    if (isFull) {
      askedWhenFull++;
    }
    return !isFull;
  }

  void drain() {
    isFull = false;
    resume.run();
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    throwIfPlanted(thrownByWrite);
    if (writesLeft-- == 0) {
      throw new IOException("no more writes");
    }
    bytes.write(from, offset, length);
  }

  @Override
  public void complete() throws IOException {
    ends.add("complete");
    if (!isCompletable) {
      throw new IOException("cannot complete");
    }
  }

  @Override
  public void abort(Throwable cause) {
    ends.add("abort: " + cause.getMessage());
    throwIfPlanted(thrownByAbort);
  }

  private static void throwIfPlanted(@Nullable Throwable planted) {
    if (planted instanceof Error e) {
      throw e;
    }
    if (planted instanceof RuntimeException e) {
      throw e;
    }
  }
}
