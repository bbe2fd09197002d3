package io.millrace.api.bulk;

import io.millrace.actor.body.BodyTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A target that records what it is told, and fails or fills up when its test says so. */
final class ScriptedTarget implements BodyTarget {
  final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  final List<String> ends = new ArrayList<>();
  int writesLeft = Integer.MAX_VALUE;
  boolean isCompletable = true;
  boolean isAbortable = true;
  boolean isFull;
  int askedWhenFull;
  private Runnable resume = () -> {};

  @Override
  public void start(Runnable resume) {
    this.resume = resume;
  }

  @Override
  public boolean isReady() {
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
    if (!isAbortable) {
      throw new IllegalStateException("cannot abort");
    }
  }
}
