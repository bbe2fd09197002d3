package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of shared memory: their space, and their end with a killed process. */
@Timeout(60)
class SharedMemoryFilesTest {
  private static final String RECORD = SharedMemoryFiles.RECORD;

  @TempDir File directory;

  private static boolean exists(String name) {
    return Files.exists(SharedMemoryNames.DIRECTORY.resolve(name));
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldTakeAwayTheFilesOfAKilledProcessAlone() throws Exception {
    try (ChildJvm child =
        ChildJvm.start(SharedMemoryOwnerMain.class, directory, List.of(), "wait")) {
      String name = Objects.requireNonNull(child.readLine());
      Peer.open("shm").close();
      assertTrue(exists(name), "the process lives");
      child.kill();
      child.exitCode();
      assertTrue(exists(name), "nobody closed it");
      Peer.open("shm").close();
      assertFalse(exists(name));
    }
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldLeaveNothingBehind() throws Exception {
    Peer left = Peer.open("shm");
    Peer right = Peer.open("shm");
    String own = RECORD + ProcessHandle.current().pid() + "-";
    assertEquals(1, records(own));
    right.close();
    left.close();
    assertEquals(0, records(own));
    assertFalse(exists(Objects.requireNonNull(nameOf(left))));
  }

  private static String nameOf(Peer peer) {
    return Objects.requireNonNull(SharedMemoryNames.nameOf(peer.endpoint.localAddress()));
  }

  private static long records(String prefix) throws IOException {
    try (Stream<Path> all = Files.list(SharedMemoryNames.DIRECTORY)) {
      return all.filter(each -> each.getFileName().toString().startsWith(prefix)).count();
    }
  }

  @Test
  void shouldTakeAwayOnlyRecordedFiles() throws Exception {
    Path place = directory.toPath();
    // no process has a number above 2^22
    Path recorded = Files.createFile(place.resolve("900000001:0:0"));
    Path replaced = Files.createFile(place.resolve("900000001:0:1"));
    Path living = Files.createFile(place.resolve("1:0:0"));
    Path unrecorded = Files.createFile(place.resolve("900000002:0:0"));
    Path foreign = Files.createFile(place.resolve("notes"));
    Path record = place.resolve(RECORD + "900000001-1-1");
    Files.writeString(
        record,
        "900000001:0:0 %s\n900000001:0:1 1\n1:0:0 %s\nnotes %s\n../x 1\nodd\n"
            .formatted(inode(recorded), inode(living), inode(foreign)));
    new SharedMemoryFiles(place).prepare();
    assertFalse(Files.exists(recorded));
    for (Path kept : List.of(replaced, living, unrecorded, foreign)) {
      assertTrue(Files.exists(kept), kept::toString);
    }
    assertTrue(Files.exists(record), "a recorded file may still be in the way");
    Files.delete(living);
    new SharedMemoryFiles(place).prepare();
    assertFalse(Files.exists(record));
  }

  @Test
  void shouldKeepALiveFileOfThisProcess() throws Exception {
    Path place = directory.toPath();
    SharedMemoryFiles files = new SharedMemoryFiles(place);
    String name = ProcessHandle.current().pid() + ":0:0";
    Path file = Files.write(place.resolve(name), new byte[4_096]);
    files.onOpened(name);
    // a dead process had the same number, and libfabric uses its file on
    Files.writeString(place.resolve(RECORD + "1-1-1"), name + " " + inode(file) + "\n");
    files.prepare();
    assertTrue(Files.exists(file));
    files.onClosed(name);
    files.prepare();
    assertFalse(Files.exists(file), "nobody uses it any more");
  }

  @Test
  void shouldKeepRecordAndFilesWhileAnEndpointOpens() throws Exception {
    Path place = directory.toPath();
    SharedMemoryFiles files = new SharedMemoryFiles(place);
    String first = ProcessHandle.current().pid() + ":0:0";
    String second = ProcessHandle.current().pid() + ":0:1";
    Files.write(place.resolve(first), new byte[4_096]);
    files.onOpened(first);
    List<Path> record = records();
    files.onOpening();
    files.onClosed(first);
    assertEquals(record, records());
    Path file = Files.write(place.resolve(second), new byte[4_096]);
    Path old = place.resolve(RECORD + "1-1-1");
    Files.writeString(old, second + " " + inode(file) + "\n");
    files.prepare();
    assertTrue(Files.exists(file), "another endpoint opens with this file");
    Files.delete(old);
    files.onOpened(second);
    files.onOpeningEnded();
    assertEquals(record, records());
    assertEquals(second + " " + inode(file) + "\n", Files.readString(record.getFirst()));
    files.onClosed(second);
    assertEquals(List.of(), records());
    files.onOpening();
    files.onOpeningEnded();
    assertEquals(List.of(), records(), "an open that failed");
  }

  private List<Path> records() throws IOException {
    try (Stream<Path> all = Files.list(directory.toPath())) {
      return all.filter(each -> each.getFileName().toString().startsWith(RECORD)).toList();
    }
  }

  @Test
  void shouldNotReadAPipe() throws Exception {
    Path pipe = directory.toPath().resolve(RECORD + "1-1-1");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    SharedMemoryFiles files = new SharedMemoryFiles(directory.toPath());
    assertTimeoutPreemptively(Duration.ofSeconds(10), files::prepare);
    assertTrue(Files.exists(pipe));
  }

  @Test
  void shouldBelieveNoRecordOfAnotherUserAndNoHugeRecord() throws Exception {
    Path place = directory.toPath();
    Path file = Files.createFile(place.resolve("900000001:0:0"));
    Path record = place.resolve(RECORD + "1-1-1");
    String line = "900000001:0:0 " + inode(file) + "\n";
    Files.writeString(record, line + " ".repeat(SharedMemoryFiles.MAX_RECORD_BYTES));
    new SharedMemoryFiles(place).prepare();
    assertTrue(Files.exists(file), "a huge record");
    Files.writeString(record, line);
    boolean isRoot = Integer.valueOf(0).equals(Files.getAttribute(record, "unix:uid"));
    Assumptions.assumeTrue(isRoot, "SKIPPED: only root gives files to other users");
    Files.setAttribute(record, "unix:uid", 12_345);
    new SharedMemoryFiles(place).prepare();
    assertTrue(Files.exists(file), "a record of another user");
  }

  private static Object inode(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  @Test
  void shouldRefuseAMissingDirectory() {
    SharedMemoryFiles nowhere = new SharedMemoryFiles(Path.of("/no/such/directory"));
    assertThrows(DriverException.class, () -> nowhere.prepare());
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldKnowTheBytesOfARegion() throws Exception {
    try (Peer peer = Peer.open("shm")) {
      Path file = SharedMemoryNames.DIRECTORY.resolve(nameOf(peer));
      assertEquals(SharedMemoryFiles.REGION_BYTES, Files.size(file));
    }
  }
}
