package io.millrace.testkit.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The last lines of a process's output, read by a thread of its own until the process has closed
 * the output.
 */
final class OutputTail {
  static final int MOST_LINES = 1_000;
  static final int MOST_CHARS = 2_000;
  private static final int CHUNK_CHARS = 4_096;

  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private final StringBuilder line = new StringBuilder();
  private final Thread reader;
  private long dropped;

  OutputTail(String name, InputStream from) {
    reader = Thread.ofPlatform().daemon().name("output-of-" + name).unstarted(() -> read(from));
    reader.start();
  }

  private void read(InputStream from) {
    char[] chunk = new char[CHUNK_CHARS];
    try (Reader in = new InputStreamReader(from, StandardCharsets.UTF_8)) {
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        add(chunk, length);
      }
    } catch (IOException e) {
      add(("[output ended: " + e + "]").toCharArray());
    }
  }

  private void add(char[] text) {
    add(text, text.length);
  }

  private synchronized void add(char[] chunk, int length) {
    for (int i = 0; i < length; i++) {
      if (chunk[i] == '\n') {
        endLine();
      } else if (line.length() < MOST_CHARS) {
        line.append(chunk[i]);
      }
    }
  }

  private void endLine() {
    if (lines.size() == MOST_LINES) {
      lines.removeFirst();
      dropped++;
    }
    lines.addLast(line.toString());
    line.setLength(0);
  }

  /**
   * Returns the kept lines, oldest first; the first line says how many lines are missing before.
   */
  synchronized List<String> lines() {
    List<String> all = new ArrayList<>();
    if (dropped > 0) {
      all.add("[" + dropped + " lines before]");
    }
    all.addAll(lines);
    if (!line.isEmpty()) {
      all.add(line.toString());
    }
    return all;
  }

  /** Waits until the process has closed its output, some seconds at most. */
  void awaitEnd(long limitMs) throws InterruptedException {
    reader.join(limitMs);
  }
}
