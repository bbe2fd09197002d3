package io.millrace.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.PathSecret;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The file that reveals all traffic of a node to a debugging person: a line for each path secret,
 * the source of all keys of the path.
 *
 * <pre>
 * MILLRACE_PATH 8b28c8619e44f628 AES-128-GCM 000102...1f
 * </pre>
 *
 * Each line has the path id, the purpose of the path's control keys, and the secret. Only the owner
 * may read the file. Several nodes may append to the same file. Nothing stays open between two
 * lines, so a file that was moved away is made again. Any thread; control plane.
 */
public final class KeyLog {
  private static final String LABEL = "MILLRACE_PATH";
  private static final String AES_128 = "AES-128-GCM";
  private static final String AES_256 = "AES-256-GCM";
  private static final int WORDS = 4;

  /** More lines than a node writes in a year. */
  private static final int MOST_LINES = 1 << 20;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final HexFormat HEX = HexFormat.of();

  private final Path file;

  /**
   * A single line.
   *
   * @param secret the path secret, closed by the caller
   * @param keySize of the control keys
   */
  public record Entry(PathSecret secret, AesKeySize keySize) {}

  private KeyLog(Path file) {
    this.file = file;
  }

  /**
   * A log in this file, created if missing, and readable by its owner only from now on.
   *
   * @throws IOException if the file cannot be written, or is a symbolic link
   */
  public static KeyLog open(Path file) throws IOException {
    KeyLog log = new KeyLog(file);
    log.append(new byte[0]);
    return log;
  }

  /**
   * Appends a line, at once and whole.
   *
   * @throws IOException if the file cannot be written
   * @throws IllegalStateException if the secret was closed
   */
  public void add(PathSecret secret, AesKeySize keySize) throws IOException {
    byte[] bytes = secret.copy();
    byte[] line =
        String.join(
                " ",
                LABEL,
                HEX.toHexDigits(secret.pathId()),
                keySize == AesKeySize.AES_128 ? AES_128 : AES_256,
                HEX.formatHex(bytes) + "\n")
            .getBytes(US_ASCII);
    try {
      append(line);
    } finally {
      Arrays.fill(bytes, (byte) 0);
      Arrays.fill(line, (byte) 0);
    }
  }

  private void append(byte[] line) throws IOException {
    try {
      Files.createFile(file, attributes());
    } catch (FileAlreadyExistsException e) {
      restrict();
    }
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  private FileAttribute<?>[] attributes() {
    return isPosix()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private void restrict() throws IOException {
    if (Files.isSymbolicLink(file)) {
      throw new FileSystemException(file.toString(), null, "is a symbolic link");
    }
    if (isPosix() && !OWNER_ONLY.equals(Files.getPosixFilePermissions(file))) {
      Files.setPosixFilePermissions(file, OWNER_ONLY);
    }
  }

  private boolean isPosix() {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Reads a log.
   *
   * @return the log's lines, without empty lines and comment lines, which begin with #
   * @throws IOException if the file cannot be read, or a line is no line of a key log; the text
   *     names the line by its number
   */
  public static List<Entry> read(Path file) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file, US_ASCII)) {
      int number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (number > MOST_LINES) {
          throw new IOException(file + " has more than " + MOST_LINES + " lines");
        }
        if (!line.isBlank() && !line.startsWith("#")) {
          entries.add(entry(line.strip(), file + ", line " + number));
        }
        number++;
      }
    }
    return entries;
  }

  private static Entry entry(String line, String place) throws IOException {
    String[] words = line.split(" +", -1);
    if (words.length != WORDS || !words[0].equals(LABEL)) {
      throw new IOException(place + " is not a line of a key log");
    }
    AesKeySize keySize =
        switch (words[2]) {
          case AES_128 -> AesKeySize.AES_128;
          case AES_256 -> AesKeySize.AES_256;
          default -> throw new IOException(place + " names an unknown cipher");
        };
    PathSecret secret;
    try {
      secret = new PathSecret(HEX.parseHex(words[3]));
    } catch (IllegalArgumentException e) {
      throw new IOException(place + " has no secret of " + PathSecret.LENGTH + " bytes", e);
    }
    if (!HEX.toHexDigits(secret.pathId()).equals(words[1])) {
      throw new IOException(place + " has a secret of another path than the named path");
    }
    return new Entry(secret, keySize);
  }
}
