package io.millrace.samples.cli;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file as records that together are its bytes: lines with their ends for text, blocks of 1,000
 * bytes otherwise. The file is read along with its records, whatever its size.
 *
 * @param path the file
 * @param bytes the length of the file when opened
 * @param isText whether the file is cut into lines
 */
record RecordFile(Path path, long bytes, boolean isText) {
  /** Longer lines are cut. */
  static final int RECORD_BYTES = 1_000;

  private static final int SAMPLE_BYTES = 8_192;

  /** Looks at the file's beginning to tell text from other bytes. */
  static RecordFile open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw CommandException.badArgument("'" + path + "' is a directory");
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] sample = in.readNBytes(SAMPLE_BYTES);
      return new RecordFile(path, Files.size(path), isText(sample));
    }
  }

  /** Returns the largest jar of the class path: real bytes that exist on every machine. */
  static Path usual() throws IOException {
    String classPath = System.getProperty("java.class.path", "");
    try (Stream<Path> files =
        Stream.concat(
            Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(classPath)
                .map(Path::of),
            Stream.of(Path.of(System.getProperty("java.home", ".")).resolve("lib/jrt-fs.jar")))) {
      return files
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(RecordFile::size))
          .orElseThrow(() -> CommandException.failed("found no file to send; give --file FILE"));
    }
  }

  /** The records from the file's beginning; the stream must be closed. */
  RecordStream records() throws IOException {
    return new RecordStream(new BufferedInputStream(Files.newInputStream(path)), isText);
  }

  private static boolean isText(byte[] sample) {
    for (byte b : sample) {
      if (b == 0) {
        return false;
      }
    }
    return sample.length > 0;
  }

  private static long size(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      return 0;
    }
  }

  /** The records of one reading. A single thread at a time may read. */
  static final class RecordStream implements Iterator<byte[]>, AutoCloseable {
    private final InputStream in;
    private final boolean byLine;
    private final byte[] buffer = new byte[RECORD_BYTES];
    private byte[] next;

    private RecordStream(InputStream in, boolean byLine) throws IOException {
      this.in = in;
      this.byLine = byLine;
      next = read();
    }

    @Override
    public boolean hasNext() {
      return next.length > 0;
    }

    @Override
    public byte[] next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      byte[] current = next;
      try {
        next = read();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return current;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    /** The next record, or no bytes at the file's end. */
    private byte[] read() throws IOException {
      int length = byLine ? readLine() : in.readNBytes(buffer, 0, buffer.length);
      return Arrays.copyOf(buffer, length);
    }

    private int readLine() throws IOException {
      int length = 0;
      while (length < buffer.length) {
        int b = in.read();
        if (b < 0) {
          break;
        }
        buffer[length++] = (byte) b;
        if (b == '\n') {
          break;
        }
      }
      return length;
    }
  }
}
