package io.millrace.samples.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A journal in files. A thread of the journal writes and forces all waiting records at once: the
 * slower the device, the larger the batches. {@code N.checkpoint} holds the replica's knowledge at
 * the beginning of {@code N.log}; files of lower numbers are removed once the checkpoint is
 * written. A directory has one journal at a time, across processes too: a lock on a file ensures
 * this.
 */
public final class FileJournal implements Journal {
  private static final String LOG = ".log";
  private static final String CHECKPOINT = ".checkpoint";
  private static final String UNFINISHED = ".unfinished";
  private static final String LOCK = "lock";

  /** A task of the thread; a task without records and checkpoint ends the thread. */
  private record Task(
      List<JournalRecord> records, @Nullable Checkpoint checkpoint, CompletableFuture<Void> done) {
    boolean isEnd() {
      return records.isEmpty() && checkpoint == null;
    }
  }

  private final Path directory;
  private final FileChannel lock;

  /** A record to write with the next record; owned by the caller, like the calls one at a time. */
  private @Nullable JournalRecord noted;

  private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
  private final Recovered recovered;
  private final Thread thread;
  private volatile boolean isEnded;
  private final SecureRandom random = new SecureRandom();
  private long number;
  private FileChannel log;

  /** The salt of the log file. */
  private long salt;

  /** The position of the next frame in the log file. */
  private long position;

  private @Nullable Throwable failure;

  private FileJournal(Path directory, FileChannel lock) throws IOException {
    this.directory = directory;
    this.lock = lock;
    SortedSet<Long> checkpoints = numbers(CHECKPOINT);
    SortedSet<Long> logs = numbers(LOG);
    number = logs.isEmpty() ? 0 : logs.last();
    List<JournalRecord> records = new ArrayList<>();
    Optional<Checkpoint> checkpoint = Optional.empty();
    if (!checkpoints.isEmpty()) {
      checkpoint = Optional.of(readCheckpoint(file(checkpoints.last(), CHECKPOINT)));
      logs = logs.tailSet(checkpoints.last());
    }
    for (long each : logs) {
      Frames.Content content = readLog(file(each, LOG), each == number);
      records.addAll(content.records());
      salt = content.salt();
      position = content.bytes();
    }
    recovered = new Recovered(checkpoint, records);
    log = openLog();
    thread = Thread.ofPlatform().daemon().name("log-flush").start(this::run);
  }

  /**
   * Opens the journal of a directory; makes the directory if necessary. Cuts off a torn end, and
   * forces the rest: a killed process may have left frames without a force.
   *
   * @throws CorruptJournalException if the files are damaged in another way
   * @throws IOException for example if another journal has the directory
   */
  public static FileJournal open(Path directory) throws IOException {
    makeDirectory(directory.toAbsolutePath());
    FileChannel lock = lock(directory);
    try {
      return new FileJournal(directory, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** A new directory is forced into its parent. */
  private static void makeDirectory(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent != null && !Files.isDirectory(directory)) {
      makeDirectory(parent);
      Files.createDirectories(directory);
      forceDirectory(parent);
    }
  }

  /** The system releases the lock when the process ends, also after a crash. */
  private static FileChannel lock(Path directory) throws IOException {
    FileChannel file =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isLocked(file)) {
      file.close();
      throw new IOException(directory + " is in use by another replica");
    }
    return file;
  }

  private static boolean isLocked(FileChannel file) throws IOException {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public Recovered recovered() {
    return recovered;
  }

  @Override
  public CompletionStage<Void> append(JournalRecord entry) {
    JournalRecord first = noted;
    noted = null;
    List<JournalRecord> records = first == null ? List.of(entry) : List.of(first, entry);
    return add(new Task(records, null, new CompletableFuture<>()));
  }

  @Override
  public void note(JournalRecord entry) {
    noted = entry;
  }

  @Override
  public CompletionStage<Void> checkpoint(Checkpoint checkpoint) {
    return add(new Task(List.of(), checkpoint, new CompletableFuture<>()));
  }

  private CompletionStage<Void> add(Task task) {
    tasks.add(task);
    if (isEnded) {
      refuseRest();
    }
    return task.done;
  }

  /**
   * Writes and forces the waiting records, and frees the directory. Called by a stage of a force,
   * on the journal's own thread, the method returns at once, and the directory is free after that
   * stage.
   */
  @Override
  public void close() {
    add(new Task(List.of(), null, new CompletableFuture<>()));
    if (Thread.currentThread() == thread) {
      return; // a stage of a force closes the journal: the thread ends behind this task
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<Task> batch = new ArrayList<>();
    boolean isOpen = true;
    while (isOpen) {
      try {
        batch.add(tasks.take());
      } catch (InterruptedException e) {
        // Nobody else knows this thread: an interrupt is a request to end.
        break;
      }
      tasks.drainTo(batch);
      isOpen = batch.stream().noneMatch(Task::isEnd);
      perform(batch);
      batch.clear();
    }
    for (FileChannel each : List.of(log, lock)) {
      try {
        each.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    isEnded = true;
    refuseRest();
  }

  /** Fails the tasks that came too late: nothing is written any more. */
  private void refuseRest() {
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      task.done.completeExceptionally(new IOException("the journal is closed"));
    }
  }

  /** Performs tasks in order: records before a checkpoint go to the old file. */
  private void perform(List<Task> batch) {
    List<Task> records = new ArrayList<>();
    for (Task task : batch) {
      Checkpoint checkpoint = task.checkpoint;
      if (!task.records.isEmpty()) {
        records.add(task);
      } else {
        attempt(records, () -> write(records));
        records.clear();
        attempt(List.of(task), checkpoint == null ? () -> {} : () -> replace(checkpoint));
      }
    }
    attempt(records, () -> write(records));
  }

  private void attempt(List<Task> of, Step step) {
    if (failure == null && !of.isEmpty()) {
      try {
        step.run();
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
    }
    Throwable ended = failure;
    for (Task task : of) {
      if (ended == null) {
        task.done.complete(null);
      } else {
        task.done.completeExceptionally(ended);
      }
    }
  }

  private void write(List<Task> tasks) throws IOException {
    List<JournalRecord> records = new ArrayList<>();
    tasks.forEach(task -> records.addAll(task.records));
    ByteBuffer frame = Frames.encode(records, salt, position);
    position += frame.remaining();
    writeAll(log, frame);
    log.force(false);
  }

  private void replace(Checkpoint checkpoint) throws IOException {
    long old = number;
    log.close();
    number = old + 1;
    position = 0;
    log = openLog();
    Path unfinished = file(number, UNFINISHED);
    try (FileChannel out =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeAll(out, Frames.frame(checkpoint.encode(), 0, 0));
      out.force(true);
    }
    Files.move(unfinished, file(number, CHECKPOINT), StandardCopyOption.ATOMIC_MOVE);
    forceDirectory(directory);
    removeBelow(number);
  }

  private void removeBelow(long kept) throws IOException {
    for (String kind : List.of(LOG, CHECKPOINT, UNFINISHED)) {
      for (long each : numbers(kind).headSet(kept)) {
        Files.deleteIfExists(file(each, kind));
      }
    }
  }

  private FileChannel openLog() throws IOException {
    FileChannel opened =
        FileChannel.open(
            file(number, LOG),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND);
    try {
      if (position == 0) {
        salt = random.nextLong();
        position = Frames.FILE_HEADER_BYTES;
        writeAll(opened, Frames.header(salt));
      }
      opened.force(true);
      forceDirectory(directory);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  private static void forceDirectory(Path directory) throws IOException {
    try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static Frames.Content readLog(Path file, boolean isLast) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    Frames.Content content = Frames.read(file.toString(), bytes);
    if (content.bytes() < bytes.limit()) {
      if (!isLast) {
        throw new CorruptJournalException(
            file + " is corrupt at byte " + content.bytes() + ": a later file was begun");
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(content.bytes());
        channel.force(true);
      }
    }
    return content;
  }

  private static Checkpoint readCheckpoint(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    Frames.requireVersion(file.toString(), bytes);
    ByteString body = Frames.body(bytes, 0, 0);
    if (body == null) {
      throw new CorruptJournalException(file + " is corrupt");
    }
    return Checkpoint.decode(body);
  }

  private SortedSet<Long> numbers(String kind) throws IOException {
    SortedSet<Long> numbers = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\d{1,18}" + Pattern.quote(kind)))
          .forEach(name -> numbers.add(Long.valueOf(name.substring(0, name.indexOf('.')))));
    }
    return numbers;
  }

  private Path file(long of, String kind) {
    return directory.resolve(of + kind);
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }
}
