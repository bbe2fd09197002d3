package io.millrace.samples.cli;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/**
 * A line about the progress of a command: written over on a terminal, about once a second
 * elsewhere. A single thread at a time may use the line.
 */
final class Progress {
  private static final long LIVE_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PLAIN_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

  private final PrintStream err;
  private final boolean live;
  private final long periodNs;
  private long lastNs;
  private int lineLength;

  Progress(Screen screen, long nowNs) {
    err = screen.err();
    live = screen.isLive();
    periodNs = live ? LIVE_PERIOD_NS : PLAIN_PERIOD_NS;
    lastNs = nowNs;
  }

  boolean isDue(long nowNs) {
    return nowNs - lastNs >= periodNs;
  }

  void show(String line, long nowNs) {
    lastNs = nowNs;
    if (live) {
      err.print("\r" + line + " ".repeat(Math.max(0, lineLength - line.length())));
      err.flush();
      lineLength = line.length();
    } else {
      err.println(line);
    }
  }

  /** Removes the progress line from the terminal. */
  void clear() {
    if (live && lineLength > 0) {
      err.print("\r" + " ".repeat(lineLength) + "\r");
      err.flush();
      lineLength = 0;
    }
  }
}
