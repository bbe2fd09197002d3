package io.millrace.samples.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a copy.
 *
 * @param file the file here
 * @param address the peer's handshake address, host:port
 * @param name the peer's name of the file
 * @param isUpload from here to the peer
 */
record CopyEnds(Path file, String address, String name, boolean isUpload) {
  private static final Pattern REMOTE =
      Pattern.compile("(?<address>(?:\\[[^\\]]*\\]|[^\\[\\]:/\\\\]+):\\d+):(?<name>.*)");

  /**
   * Reads the two arguments; exactly one argument must name a peer: {@code host:port:name}. A
   * missing name is taken from the other side, and also the name of a file in a directory here.
   *
   * @throws CommandException if no argument or both arguments name a peer, or there is no name to
   *     take
   */
  static CopyEnds of(String from, String to) {
    Matcher remoteFrom = REMOTE.matcher(from);
    Matcher remoteTo = REMOTE.matcher(to);
    boolean isUpload = remoteTo.matches();
    if (isUpload == remoteFrom.matches()) {
      throw CommandException.badArgument(
          (isUpload ? "both '" : "neither '")
              + from
              + (isUpload ? "' and '" : "' nor '")
              + to
              + (isUpload ? "' name a peer" : "' names a peer")
              + "; one must be PEER:NAME, for example 127.0.0.1:7400:data.bin");
    }
    Matcher remote = isUpload ? remoteTo : remoteFrom;
    String name = remote.group("name");
    Path file = path(isUpload ? from : to);
    return isUpload
        ? new CopyEnds(file, remote.group("address"), remoteName(name, file), true)
        : new CopyEnds(localFile(file, name), remote.group("address"), name, false);
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw CommandException.badArgument("'" + text + "' is no file name: " + e.getReason());
    }
  }

  private static String remoteName(String name, Path file) {
    return name.isEmpty() || name.endsWith("/") ? name + lastName(file, file.toString()) : name;
  }

  private static Path localFile(Path file, String name) {
    if (name.isEmpty()) {
      throw CommandException.badArgument("the name of the peer's file is missing");
    }
    if (!Files.isDirectory(file)) {
      return file;
    }
    String last = name.substring(name.lastIndexOf('/') + 1);
    return file.resolve(lastName(last.isEmpty() ? null : path(last), name));
  }

  private static String lastName(@Nullable Path path, String text) {
    Path last = path == null ? null : path.getFileName();
    if (last == null || last.toString().isEmpty() || last.toString().equals("..")) {
      throw CommandException.badArgument("'" + text + "' does not end in the name of a file");
    }
    return last.toString();
  }
}
