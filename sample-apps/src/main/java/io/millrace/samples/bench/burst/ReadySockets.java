package io.millrace.samples.bench.burst;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which of this process's UDP sockets have something to read, by one {@code poll} for all of them.
 * Sockets are found by their local ports in {@code /proc}. One thread.
 */
final class ReadySockets {
  private static final int ENTRY_BYTES = 8;
  private static final int RESULT_AT = 6;
  private static final short READABLE = 1;
  private static final int ADDRESS_COLUMN = 1;
  private static final int INODE_COLUMN = 9;
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final MethodHandle POLL = poll();

  private final MemorySegment entries;
  private final int count;

  @SuppressWarnings("restricted") // a call of the C library, whose arguments are as declared
  private static MethodHandle poll() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find("poll").orElseThrow(),
        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  }

  /** Over the sockets that are bound to these ports, in this order. */
  ReadySockets(List<Integer> ports) {
    count = ports.size();
    entries = Arena.ofAuto().allocate((long) count * ENTRY_BYTES, ENTRY_BYTES);
    Map<Integer, Integer> descriptors = descriptorsByPort();
    for (int i = 0; i < count; i++) {
      Integer descriptor = descriptors.get(ports.get(i));
      if (descriptor == null) {
        throw new IllegalStateException("no socket has port " + ports.get(i));
      }
      entries.set(JAVA_INT, (long) i * ENTRY_BYTES, descriptor);
      entries.set(JAVA_SHORT, (long) i * ENTRY_BYTES + Integer.BYTES, READABLE);
    }
  }

  private static Map<Integer, Integer> descriptorsByPort() {
    Map<String, Integer> ports = new HashMap<>();
    Map<Integer, Integer> descriptors = new HashMap<>();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      for (String line : Files.readAllLines(Path.of("/proc/self/net/udp"))) {
        String[] columns = BLANKS.split(line.strip(), 0);
        if (columns[ADDRESS_COLUMN].indexOf(':') > 0) {
          String port = columns[ADDRESS_COLUMN].substring(columns[ADDRESS_COLUMN].indexOf(':') + 1);
          ports.put("socket:[" + columns[INODE_COLUMN] + "]", Integer.parseInt(port, 16));
        }
      }
      for (Path each : open.filter(Files::exists).toList()) {
        Integer port = ports.get(Files.readSymbolicLink(each).toString());
        if (port != null) {
          descriptors.put(port, Integer.parseInt(each.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return descriptors;
  }

  /** Waits until one is ready, for so many ms at most; returns how many are. */
  int await(int timeoutMs) {
    try {
      return (int) POLL.invokeExact(entries, (long) count, timeoutMs);
    } catch (Throwable e) {
      throw new IllegalStateException("poll", e);
    }
  }

  /** Whether the last {@link #await} found the socket ready. */
  boolean isReady(int index) {
    return entries.get(JAVA_SHORT, (long) index * ENTRY_BYTES + RESULT_AT) != 0;
  }
}
