package io.millrace.samples.log.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The identity of a replica's directory, and the identities of the other replicas, in a file of the
 * directory. A noted identity is on the device when the method returns. Methods block; any thread.
 */
public final class Identities {
  private static final String FILE = "identities";
  private static final String OWN = "own";
  private static final String ADMITTED = "admitted";
  private static final String KNOWN = "known.";
  private static final String NEW = "new.";

  /**
   * The identity of this directory.
   *
   * @param isAdmitted whether the replica takes part, or did when the directory was used last
   */
  record Own(String identity, boolean isAdmitted) {}

  private final Path directory;
  private final Map<String, String> lines;

  private Identities(Path directory, Map<String, String> lines) {
    this.directory = directory;
    this.lines = lines;
  }

  /**
   * Opens the identities of an existing directory.
   *
   * @param isEmpty whether its journal holds nothing; a journal without identities comes from an
   *     earlier version of the log, and its replica takes part
   */
  public static Identities open(Path directory, boolean isEmpty) throws IOException {
    Path file = directory.resolve(FILE);
    Map<String, String> lines = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int equals = line.indexOf('=');
        if (equals < 0) {
          throw new IOException(file + " is corrupt: '" + line + "'");
        }
        lines.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    Identities identities = new Identities(directory, lines);
    if (!lines.containsKey(OWN)) {
      lines.put(OWN, UUID.randomUUID().toString());
      lines.put(ADMITTED, String.valueOf(!isEmpty));
      identities.write();
    }
    return identities;
  }

  synchronized Own own() {
    return new Own(lines.getOrDefault(OWN, ""), isAdmitted());
  }

  private boolean isAdmitted() {
    return lines.getOrDefault(ADMITTED, "").equals("true");
  }

  /** The replica takes part from now on. */
  synchronized void admit() {
    note(ADMITTED, "true");
  }

  /** Another replica introduced itself. */
  synchronized Acquaintance onIntroduced(Introduction from) {
    String known = lines.get(KNOWN + from.replica());
    if (known == null || from.isReplacing() && !known.equals(from.identity())) {
      know(from.replica(), from.identity());
    }
    return new Acquaintance(
        lines.getOrDefault(OWN, ""),
        lines.getOrDefault(KNOWN + from.replica(), ""),
        lines.containsKey(NEW + from.replica()),
        !isAdmitted());
  }

  /**
   * Another replica has answered, and is new if its answer says so: such a replica need not have
   * introduced itself.
   */
  synchronized void onAnswer(int from, Acquaintance answer) {
    if (!lines.containsKey(KNOWN + from) && answer.isNew()) {
      know(from, answer.identity());
    }
  }

  private void know(int replica, String identity) {
    if (isAdmitted()) {
      lines.remove(NEW + replica);
    } else {
      lines.put(NEW + replica, "true");
    }
    note(KNOWN + replica, identity);
  }

  private void note(String key, String value) {
    lines.put(key, value);
    try {
      write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write() throws IOException {
    StringBuilder text = new StringBuilder();
    lines.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Path unfinished = directory.resolve(FILE + ".unfinished");
    try (FileChannel out =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(unfinished, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
