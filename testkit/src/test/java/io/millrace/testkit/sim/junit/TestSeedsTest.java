package io.millrace.testkit.sim.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.base.CheckedOut;
import io.millrace.testkit.internal.scenario.SeedRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestSeedsTest {
  private static final String COMMIT = "00000000ff23456789abcdef0123456789abcdef";
  private static final String OTHER = "0000000100fedcba98765432100123456789abcd";

  @TempDir private Path root;

  private Path write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private SeedRange ofCommit() throws IOException {
    return TestSeeds.parse("commit+3", null, Files.createDirectories(root.resolve("a/b"))).range();
  }

  @Test
  void shouldTakeSeedsAsTheyAre() {
    TestSeeds seeds = TestSeeds.parse("3..9", COMMIT, root);
    assertEquals(new SeedRange(3, 9), seeds.range());
    assertEquals("3..9", seeds.toString());
    assertEquals(SeedRange.of(4), TestSeeds.parse("4", COMMIT, root).range());
  }

  @Test
  void shouldBeginWithTheDigitsOfTheCommitThatIsNamed() {
    TestSeeds seeds = TestSeeds.parse("commit+200", COMMIT, root);
    assertEquals(new SeedRange(0xFF, 0xFF + 199), seeds.range());
    assertEquals("255..454, of commit " + COMMIT, seeds.toString());
  }

  @Test
  void shouldReadTheCommitThatIsCheckedOut() throws IOException {
    write(".git/HEAD", COMMIT + "\n");
    assertEquals(new SeedRange(0xFF, 0xFF + 2), ofCommit());
  }

  @Test
  void shouldReadTheCommitOfABranch() throws IOException {
    write(".git/HEAD", "ref: refs/heads/a/b\n");
    write(".git/packed-refs", "# pack-refs with: peeled\n" + COMMIT + " refs/heads/a/b\n");
    assertEquals(new SeedRange(0xFF, 0xFF + 2), ofCommit());

    write(".git/refs/heads/a/b", OTHER + "\n");
    assertEquals(new SeedRange(0x100, 0x100 + 2), ofCommit());
  }

  @Test
  void shouldReadTheCommitOfAWorktree() throws IOException {
    write("a/.git", "gitdir: ../main/.git/worktrees/a\n");
    write("main/.git/worktrees/a/HEAD", "ref: refs/heads/other\n");
    write("main/.git/worktrees/a/commondir", "../..\n");
    write("main/.git/refs/heads/other", COMMIT + "\n");
    assertEquals(new SeedRange(0xFF, 0xFF + 2), ofCommit());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ref: refs/heads/.invalid", "not a commit", "0123456789"})
  void shouldSayThatNoCommitIsKnown(String head) throws IOException {
    write(".git/HEAD", head);
    TestSeeds seeds = TestSeeds.parse("commit+3", null, root);
    assertEquals(TestSeeds.WITHOUT_COMMIT, seeds.range().first());
    assertTrue(seeds.toString().contains("no clone here"), seeds.toString());
  }

  @Test
  void shouldFindNoCommitWhereThereIsNoClone() throws IOException {
    assertNull(CheckedOut.commit(write(".git", "something else").resolveSibling("a")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit+", "commit+0", "commit+-1", "commit+a", "commit+2147483648"})
  void shouldRefuseACountThatIsNone(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> TestSeeds.parse(text, COMMIT, root));
    assertEquals(
        "seeds of a commit must be commit+ and how many, not '" + text + "'", refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "012345678", "HEAD", "00000000FF"})
  void shouldRefuseANameThatIsNoHash(String commit) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> TestSeeds.parse("commit+1", commit, root));
    assertEquals(
        "millrace.sim.commit must begin with 10 hexadecimal digits, not '" + commit + "'",
        refused.getMessage());
  }
}
