package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that keep their name at every transfer, and names reserved for parts. */
final class FinalNameTest {
  private static final String OTHER = "a device, a pipe or a socket";
  private static final String LINK = "a link to something that is not a file";

  @TempDir Path directory;
  private Path name = Path.of("");

  @BeforeEach
  void nameFile() {
    name = directory.resolve("name");
  }

  private void expectRefused(String what) throws IOException {
    List<String> before = TestBytes.names(directory);
    assertEquals("cannot write " + name + ": it is " + what, message(() -> BulkTarget.file(name)));
    assertEquals(
        "cannot write " + name + ": it is " + what,
        message(() -> BulkTarget.resumable(name, new byte[1], FileOptions.DEFAULT)));
    PlacementException refused =
        assertThrows(
            PlacementException.class, () -> DirectoryPlacement.under(directory).forWriting("name"));
    assertEquals("\"name\" is " + what, refused.getMessage());
    assertEquals(before, TestBytes.names(directory));
  }

  private static String message(org.junit.jupiter.api.function.Executable failing) {
    return String.valueOf(assertThrows(IOException.class, failing).getMessage());
  }

  private void makePipe() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", name.toString()).inheritIO().start().waitFor());
  }

  @Test
  void shouldRefuseAPipe() throws Exception {
    makePipe();
    expectRefused(OTHER);
  }

  @Test
  void shouldRefuseASocket() throws IOException {
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(name));
      expectRefused(OTHER);
    }
  }

  /** Only checks the name: after a missing refusal a real transfer would replace the device. */
  @Test
  void shouldRefuseADevice() {
    Path device = Path.of("/dev/null");
    assertEquals(
        "cannot write /dev/null: it is " + OTHER, message(() -> FinalName.check(device, true)));
  }

  @Test
  void shouldRefuseALinkToADevice() throws IOException {
    Files.createSymbolicLink(name, Path.of("/dev/null"));
    expectRefused(LINK);
  }

  @Test
  void shouldRefuseALinkToADirectory() throws IOException {
    Files.createSymbolicLink(name, directory);
    expectRefused(LINK);
  }

  @Test
  void shouldReplaceALinkToNothing() throws IOException {
    Files.createSymbolicLink(name, directory.resolve("missing"));
    BodyDriver.run(BulkSource.of(new byte[] {1}), BulkTarget.file(name), 1);
    assertTrue(Files.isRegularFile(name, LinkOption.NOFOLLOW_LINKS));
    assertEquals(List.of("name"), TestBytes.names(directory));
  }

  @Test
  void shouldNotReplaceAPipeThatCameMeanwhile() throws Exception {
    BodyTarget target = BulkTarget.file(name);
    makePipe();
    assertEquals("cannot write " + name + ": it is " + OTHER, message(target::complete));
    assertFalse(Files.isRegularFile(name));
    assertEquals(List.of("name"), TestBytes.names(directory));
  }

  @Test
  void shouldKnowTemporaryNamesInAnyCase() {
    assertTrue(FinalName.isTemporary(".to.millrace-resume.part"));
    assertTrue(FinalName.isTemporary(".to.MILLRACE-resume.part"));
    assertTrue(FinalName.isTemporary(".TO.MillRace-RESUME.PART"));
    assertFalse(FinalName.isTemporary("to.millrace-resume.part"));
    assertFalse(FinalName.isTemporary(".to.millrac-resume.part"));
  }

  @Test
  void shouldWriteNoFileOfAnotherTransferByAnotherCase() throws IOException {
    Path part = directory.resolve(".to.millrace-resume.part");
    Files.write(part, new byte[1], StandardOpenOption.CREATE_NEW);
    assertThrows(
        PlacementException.class,
        () -> DirectoryPlacement.under(directory).forWriting(".to.Millrace-Resume.part"));
  }
}
