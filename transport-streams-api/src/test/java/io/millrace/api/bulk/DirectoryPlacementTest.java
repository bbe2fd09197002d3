package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that a peer may name. */
final class DirectoryPlacementTest {
  @TempDir Path directory;
  private Path root = Path.of("");
  private Path outside = root;

  @BeforeEach
  void makeFiles() throws IOException {
    directory = directory.toRealPath();
    root = Files.createDirectory(directory.resolve("root"));
    outside = Files.createDirectory(directory.resolve("root-outside"));
    Files.createDirectory(root.resolve("sub"));
    Files.writeString(root.resolve("file"), "inside");
    Files.writeString(root.resolve("sub/file"), "inside");
    Files.writeString(outside.resolve("secret"), "outside");
    Files.createSymbolicLink(root.resolve("link-out"), outside);
    Files.createSymbolicLink(root.resolve("link-in"), root.resolve("sub"));
    Files.createSymbolicLink(root.resolve("file-out"), outside.resolve("secret"));
    Files.createSymbolicLink(root.resolve("file-in"), root.resolve("file"));
    Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));
  }

  private DirectoryPlacement placement() throws IOException {
    return DirectoryPlacement.under(root);
  }

  private void expectNeither(String name, String message) {
    expectUnreadable(name, message);
    expectUnwritable(name, message);
  }

  private void expectUnreadable(String name, String message) {
    assertEquals(
        message,
        assertThrows(PlacementException.class, () -> placement().forReading(name)).getMessage());
  }

  private void expectUnwritable(String name, String message) {
    assertEquals(
        message,
        assertThrows(PlacementException.class, () -> placement().forWriting(name)).getMessage());
  }

  @Test
  void shouldPlaceNamesInside() throws IOException {
    assertEquals(root.resolve("file"), placement().forReading("file"));
    assertEquals(root.resolve("sub/file"), placement().forReading("sub/file"));
    assertEquals(root.resolve("sub/file"), placement().forReading("link-in/file"));
    assertEquals(root.resolve("file"), placement().forReading("file-in"));
    assertEquals(root.resolve("new"), placement().forWriting("new"));
    assertEquals(root.resolve("file"), placement().forWriting("file"));
    assertEquals(root.resolve("sub/new"), placement().forWriting("link-in/new"));
    assertEquals(root.resolve("..."), placement().forWriting("..."));
    assertEquals(root.resolve("a b\u00e4\\c"), placement().forWriting("a b\u00e4\\c"));
  }

  @Test
  void shouldRefuseNamesThatLeaveTheDirectory() {
    expectNeither("..", "\"..\" contains \"..\"");
    expectNeither("../root/file", "\"../root/file\" contains \"..\"");
    expectNeither("sub/../file", "\"sub/../file\" contains \"..\"");
    expectNeither("../root-outside/secret", "\"../root-outside/secret\" contains \"..\"");
    expectNeither("./file", "\"./file\" contains \".\"");
    expectNeither("/etc/passwd", "\"/etc/passwd\" is not relative");
    expectNeither("sub//file", "\"sub//file\" has an empty part");
    expectNeither("sub/", "\"sub/\" has an empty part");
  }

  @Test
  void shouldRefuseLinksThatLeaveTheDirectory() throws IOException {
    expectNeither("link-out/secret", "\"link-out/secret\" leaves the directory by a link");
    expectUnreadable("file-out", "\"file-out\" leaves the directory by a link");
    assertEquals(root.resolve("file-out"), placement().forWriting("file-out"));
    expectUnreadable("loop", "\"loop\" does not exist or cannot be reached");
    expectNeither("loop/file", "\"loop/file\" does not exist or cannot be reached");
  }

  @Test
  void shouldNotWriteThroughALinkThatItPlaced() throws IOException {
    Path placed = placement().forWriting("file-out");
    BodyDriver.run(BulkSource.of(new byte[] {1}), BulkTarget.file(placed), 1);
    assertEquals("outside", Files.readString(outside.resolve("secret")));
  }

  @Test
  void shouldRefuseNamesThatAreNone() {
    expectNeither("", "the name of the file is empty");
    expectNeither("a\0b", "\"a?b\" contains a control character");
    expectNeither("a\nb", "\"a?b\" contains a control character");
    String longPart = "p".repeat(256);
    expectNeither(longPart, "\"" + "p".repeat(80) + "...\" has a part longer than 255 bytes");
    String longName = "q/".repeat(600) + "q";
    expectNeither(longName, "\"" + "q/".repeat(40) + "...\" is longer than 1024 bytes");
  }

  @Test
  void shouldRefuseTemporaryFiles() {
    String name = ".file.millrace-resume.part";
    expectNeither(name, "\"" + name + "\" is reserved for incomplete files");
  }

  @Test
  void shouldRefuseWhatIsNoFile() {
    expectUnreadable("sub", "\"sub\" is not a regular file");
    expectUnreadable("missing", "\"missing\" does not exist or cannot be reached");
    expectUnwritable("sub", "\"sub\" is a directory");
    expectNeither("missing/file", "\"missing/file\" does not exist or cannot be reached");
    expectNeither("file/file", "\"file/file\" does not exist or cannot be reached");
  }

  @Test
  void shouldNeedADirectory() {
    Path missing = directory.resolve("missing");
    assertEquals(
        "cannot use " + missing + ": no such file or directory",
        assertThrows(IOException.class, () -> DirectoryPlacement.under(missing)).getMessage());
    Path file = root.resolve("file");
    assertEquals(
        "cannot use " + file + ": it is not a directory",
        assertThrows(IOException.class, () -> DirectoryPlacement.under(file)).getMessage());
  }
}
