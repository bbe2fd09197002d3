package io.millrace.testkit.internal.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the commit of a folder's checkout, in git's own files, since git itself may be missing
 * where tests run. Blocks; any thread.
 */
public final class CheckedOut {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}([0-9a-f]{24})?");
  private static final String REF = "ref: ";
  private static final String LINK = "gitdir: ";

  private CheckedOut() {}

  /** Returns the commit of the nearest clone around the folder; null without a readable clone. */
  public static @Nullable String commit(Path folder) {
    for (Path at = folder.toAbsolutePath(); at != null; at = at.getParent()) {
      Path git = at.resolve(".git");
      if (Files.exists(git)) {
        try {
          return commitOf(Files.isDirectory(git) ? git : linked(git));
        } catch (IOException | InvalidPathException e) {
          return null;
        }
      }
    }
    return null;
  }

  /** Returns the folder of a worktree or a submodule, which a file names. */
  private static Path linked(Path file) throws IOException {
    String text = Files.readString(file).strip();
    if (!text.startsWith(LINK)) {
      throw new IOException(file + " is no link");
    }
    return file.resolveSibling(text.substring(LINK.length()));
  }

  private static @Nullable String commitOf(Path git) throws IOException {
    String head = Files.readString(git.resolve("HEAD")).strip();
    if (!head.startsWith(REF)) {
      return checked(head);
    }
    String ref = head.substring(REF.length());
    Path common = git.resolve("commondir");
    Path shared = Files.exists(common) ? git.resolve(Files.readString(common).strip()) : git;
    Path loose = shared.resolve(ref);
    return Files.exists(loose)
        ? checked(Files.readString(loose).strip())
        : packed(shared.resolve("packed-refs"), ref);
  }

  private static @Nullable String packed(Path file, String ref) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.endsWith(" " + ref)) {
        return checked(line.substring(0, line.length() - ref.length() - 1));
      }
    }
    return null;
  }

  private static @Nullable String checked(String text) {
    return COMMIT.matcher(text).matches() ? text : null;
  }
}
