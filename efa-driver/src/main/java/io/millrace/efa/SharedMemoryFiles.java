package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.FileSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The files of this process's endpoints in {@code /dev/shm}: takes their space before the provider
 * touches it, and takes away the files of processes that were killed.
 *
 * <p>While the process has such files, a record of the process lies beside them: one line of name
 * and inode for each file. The process holds a lock of the record, which the system ends with the
 * process. So another process that gets the lock knows that the owner is dead, also where the
 * owner's process number means nothing to it. A file goes only if its inode is the recorded one,
 * and no other process here has the owner's number: libfabric gives the inode of a dead process to
 * a new process of the same number.
 *
 * <p>One instance for the process, under one lock; control plane.
 */
final class SharedMemoryFiles {
  static final SharedMemoryFiles OF_PROCESS = new SharedMemoryFiles(SharedMemoryNames.DIRECTORY);

  /** The beginning of the records' names. */
  static final String RECORD = "millrace-shm-";

  /** Bytes of an endpoint's file, with the provider's queues of 1,024 messages. */
  static final long REGION_BYTES = 16 << 20;

  /** Space that stays free in the directory, for the records and for other programs. */
  private static final long MARGIN_BYTES = 1 << 20;

  private static final String REMEDY = "make it larger (mount option size, --shm-size)";
  private static final int CREATIONS = 8;

  /** Bytes of the largest record that counts as one. */
  static final int MAX_RECORD_BYTES = 1 << 20;

  private static final String USER = "uid";
  private static final String IS_FILE = "isRegularFile";
  private static final String SIGNS = "unix:size," + USER + "," + IS_FILE;
  private static final Integer ROOT = 0;

  private final Path directory;
  private final String ownPrefix;

  /** The inodes of this process's files, by name. */
  private final Map<String, String> names = new TreeMap<>();

  /** The number of opens under way: their files may be there, and are not among the names yet. */
  private int opening;

  private @Nullable Path recordFile;
  private @Nullable FileChannel record;

  /**
   * @param directory the directory of the files
   */
  SharedMemoryFiles(Path directory) {
    this.directory = directory;
    long startMs =
        ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    this.ownPrefix = RECORD + ProcessHandle.current().pid() + "-" + startMs + "-";
  }

  /**
   * Takes away the files of dead processes, and checks that the directory has room for an endpoint.
   *
   * @throws DriverException if the directory has less room
   */
  synchronized void prepare() throws DriverException {
    try {
      sweep();
      // The opens under way may not have taken their space yet.
      if (usableBytes() < (opening + 1) * REGION_BYTES + MARGIN_BYTES) {
        throw tooSmall();
      }
    } catch (IOException e) {
      throw new DriverException("shared memory needs " + directory + ": " + e.getMessage(), e);
    }
  }

  /**
   * Prepares like {@link #prepare}, for an endpoint that opens now; {@link #onOpeningEnded} must
   * follow, whether the open succeeds or not.
   *
   * @throws DriverException if the directory has less room; then nothing must follow
   */
  synchronized void onOpening() throws DriverException {
    prepare();
    opening++;
  }

  /** The open of an endpoint has succeeded, or failed. */
  synchronized void onOpeningEnded() {
    opening--;
    if (names.isEmpty()) {
      rewrite();
    }
  }

  private long usableBytes() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  /** Returns the reason of a library that offers no shared memory for lack of space, else null. */
  @Nullable String scarcity() {
    long wanted = Runtime.getRuntime().availableProcessors() * REGION_BYTES;
    try {
      long usable = usableBytes();
      return usable > wanted
          ? null
          : "%s has %d KiB free, and libfabric wants %d KiB for the CPUs: %s"
              .formatted(directory, usable >> 10, wanted >> 10, REMEDY);
    } catch (IOException e) {
      return "shared memory needs " + directory + ": " + e.getMessage();
    }
  }

  private DriverException tooSmall() throws IOException {
    return new DriverException(
        "%s has %d KiB free, and an endpoint with shared memory takes %d KiB: %s"
            .formatted(
                directory, usableBytes() >> 10, (REGION_BYTES + MARGIN_BYTES) >> 10, REMEDY));
  }

  /**
   * Takes the space of an endpoint's file and records the file.
   *
   * @throws DriverException if the space is not there: the provider must not touch the file, which
   *     would end the process
   */
  synchronized void onOpened(String name) throws DriverException {
    Path file = directory.resolve(name);
    try {
      long bytes = Files.size(file);
      if (FileSpace.reserve(file, bytes) != 0) {
        throw tooSmall();
      }
      names.put(name, inode(file));
      write();
    } catch (IOException e) {
      names.remove(name);
      throw new DriverException("shared memory cannot be recorded: " + e.getMessage(), e);
    }
  }

  /** The provider has removed an endpoint's file. */
  synchronized void onClosed(String name) {
    if (names.remove(name) != null) {
      rewrite();
    }
  }

  /** Writes the record after the end of a file; the line of a file that is gone harms nobody. */
  private void rewrite() {
    try {
      write();
    } catch (IOException e) {
      return;
    }
  }

  /**
   * Whether the endpoint of this address is certainly gone: the endpoint's file does not exist, or
   * the endpoint's process does not run. For endpoints of other processes that share memory with
   * this process.
   */
  boolean isGone(EndpointAddress address) {
    String name = SharedMemoryNames.nameOf(address);
    return name != null
        && (!Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)
            || !SharedMemoryNames.isOfProcess(name));
  }

  /**
   * Checks that the file of an address can be an endpoint's: the provider maps every file of that
   * name and believes its content, and a read beyond its end ends the process.
   *
   * @param self the address of an endpoint of this process
   * @throws DriverException if the file is smaller than endpoints' files, or of another user
   */
  void check(EndpointAddress self, EndpointAddress address) throws DriverException {
    String own = SharedMemoryNames.nameOf(self);
    String name = SharedMemoryNames.nameOf(address);
    if (own == null || name == null) {
      return;
    }
    try {
      Map<String, Object> ours = attributes(own);
      Map<String, Object> theirs = attributes(name);
      long least = Math.min(REGION_BYTES, bytes(ours));
      boolean isTrusted =
          ROOT.equals(theirs.get(USER)) || Objects.equals(theirs.get(USER), ours.get(USER));
      if (!Boolean.TRUE.equals(theirs.get(IS_FILE)) || bytes(theirs) < least || !isTrusted) {
        throw new DriverException(
            "%s is not an endpoint's file: %d bytes of user %s, not %d bytes of user %s"
                .formatted(name, bytes(theirs), theirs.get(USER), least, ours.get(USER)));
      }
    } catch (IOException e) {
      throw new DriverException(address + " has no file of shared memory: " + e.getMessage(), e);
    }
  }

  private Map<String, Object> attributes(String name) throws IOException {
    return Files.readAttributes(directory.resolve(name), SIGNS, LinkOption.NOFOLLOW_LINKS);
  }

  private static long bytes(Map<String, Object> attributes) {
    return attributes.get("size") instanceof Long bytes ? bytes : 0;
  }

  private void write() throws IOException {
    if (names.isEmpty() && (opening == 0 || record == null)) {
      closeRecord();
      return;
    }
    FileChannel channel = record == null ? createRecord() : record;
    StringBuilder text = new StringBuilder();
    names.forEach((name, inode) -> text.append(name).append(' ').append(inode).append('\n'));
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
    // a process that dies here must leave each line of a file that stays
    for (long at = 0; bytes.hasRemaining(); ) {
      at += channel.write(bytes, at);
    }
    channel.truncate(bytes.limit());
  }

  private FileChannel createRecord() throws IOException {
    for (int i = 0; i < CREATIONS; i++) {
      Path file = directory.resolve(ownPrefix + ThreadLocalRandom.current().nextInt(1 << 30));
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
      // another process may take an unlocked record away
      if (channel.tryLock() != null && Files.exists(file)) {
        recordFile = file;
        record = channel;
        return channel;
      }
      channel.close();
    }
    throw new IOException("no record could be locked in " + directory);
  }

  private void closeRecord() throws IOException {
    Path file = recordFile;
    FileChannel channel = record;
    recordFile = null;
    record = null;
    if (file != null && channel != null) {
      try (channel) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Takes away the files of dead processes of this user. */
  private void sweep() throws IOException {
    try (DirectoryStream<Path> records = Files.newDirectoryStream(directory, RECORD + "*")) {
      for (Path other : records) {
        // to open and close an own record would end its lock
        if (!String.valueOf(other.getFileName()).startsWith(ownPrefix)) {
          sweep(other);
        }
      }
    }
  }

  private void sweep(Path other) {
    if (!isOwn(other)) {
      return;
    }
    try (FileChannel channel =
            FileChannel.open(
                other,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return;
      }
      boolean isEmpty = true;
      for (String line : lines(channel)) {
        isEmpty &= isRemoved(line);
      }
      if (isEmpty) {
        Files.deleteIfExists(other);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // another user's record, or another process takes it away at this moment
      return;
    }
  }

  /** Whether a record can be of a process of this user: the open of another file may wait. */
  private boolean isOwn(Path other) {
    try {
      Map<String, Object> signs = attributes(String.valueOf(other.getFileName()));
      return Boolean.TRUE.equals(signs.get(IS_FILE))
          && Integer.valueOf(FileSpace.user()).equals(signs.get(USER));
    } catch (IOException e) {
      return false;
    }
  }

  /** Reads a record by its locked channel: the close of another channel would end the lock. */
  private static List<String> lines(FileChannel channel) throws IOException {
    long size = channel.size();
    if (size > MAX_RECORD_BYTES) {
      throw new IOException("a record of " + size + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) size);
    int read = 0;
    while (read >= 0 && bytes.hasRemaining()) {
      read = channel.read(bytes);
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII)
        .lines()
        .toList();
  }

  /** Removes a recorded file; returns whether the file of that owner is gone. */
  private boolean isRemoved(String line) throws IOException {
    int space = line.indexOf(' ');
    if (space <= 0 || !SharedMemoryNames.isName(line.substring(0, space))) {
      return true;
    }
    String name = line.substring(0, space);
    Path file = directory.resolve(name);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        || !inode(file).equals(line.substring(space + 1))) {
      return true;
    }
    if (isUsedHere(name) || SharedMemoryNames.isOfOtherProcess(name)) {
      return false;
    }
    Files.deleteIfExists(file);
    return true;
  }

  /** Whether an endpoint of this process has the file, or may have it once its open has ended. */
  private boolean isUsedHere(String name) {
    return names.containsKey(name) || (opening > 0 && SharedMemoryNames.isOfThisProcess(name));
  }

  private static String inode(Path file) throws IOException {
    return String.valueOf(Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS));
  }
}
