import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks or mends the format of every Java file below the given directories; those that do not
 * exist are passed over. Started from source by the build and by {@code bin/millrace format}.
 */
final class Format {
  private static final Set<String> PASSED_OVER = Set.of("target", ".local", ".git");

  private Format() {}

  /** Arguments: {@code check} or {@code apply}, then directories. Exit 1 when a file differs. */
  public static void main(String[] args) throws Exception {
    boolean apply = args[0].equals("apply");
    List<String> files = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      collect(Path.of(args[i]), files);
    }
    if (files.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>();
    command.addAll(apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    command.addAll(files);
    StringWriter differing = new StringWriter();
    PrintWriter out = new PrintWriter(differing);
    PrintWriter err = new PrintWriter(System.err, true);
    int status = new Main(out, err, System.in).format(command.toArray(String[]::new));
    out.flush();
    if (!apply && status != 0) {
      System.err.print(differing);
      System.err.println("The files above are not formatted: run bin/millrace format");
    }
    System.exit(status);
  }

  private static void collect(Path root, List<String> files) throws IOException {
    if (!Files.isDirectory(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return PASSED_OVER.contains(String.valueOf(directory.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              files.add(file.toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
