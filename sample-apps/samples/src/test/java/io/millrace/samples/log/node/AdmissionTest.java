package io.millrace.samples.log.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.samples.log.node.Admission.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admission of replicas, and the others' notes of a replica on their disks. */
final class AdmissionTest {
  private static final int GRACE = 3;
  private static final Identities.Own NEW = new Identities.Own("a", false);
  private static final Identities.Own OLD = new Identities.Own("a", true);
  private static final Acquaintance NOTED = new Acquaintance("b", "a", false, false);
  private static final Acquaintance BOTH_NEW = new Acquaintance("b", "a", true, true);
  private static final Acquaintance OTHER = new Acquaintance("b", "z", false, false);

  @TempDir private Path folder;

  private static Admission of(int members, Identities.Own own, boolean isReplacing) {
    return new Admission(0, members, own, isReplacing, GRACE);
  }

  @Test
  void shouldAdmitAReplicaThatIsAloneOrTookPartBefore() {
    assertEquals(Stage.ADMITTED, of(1, NEW, false).stage());
    assertEquals(Stage.ADMITTED, of(3, OLD, false).stage());
  }

  @Test
  void shouldAdmitANewReplicaThatAMajorityBesideItHasNoted() {
    Admission three = of(3, NEW, false);
    three.onAnswer(1, NOTED);
    for (int i = 0; i < 2 * GRACE; i++) {
      three.onTick();
    }
    assertEquals(Stage.WAITING, three.stage(), "replica 2 may know another directory");
    assertEquals(Set.of(2), three.missing());
    three.onAnswer(2, NOTED);
    assertEquals(Stage.ADMITTED, three.stage());

    Admission five = of(5, NEW, false);
    five.onAnswer(1, NOTED);
    five.onAnswer(2, NOTED);
    assertEquals(Stage.WAITING, five.stage());
    five.onAnswer(4, BOTH_NEW);
    assertEquals(Stage.ADMITTED, five.stage());
  }

  @Test
  void shouldAdmitAMajorityOfNewReplicasWhenNobodyObjectsForAWhile() {
    Admission three = of(3, NEW, false);
    three.onAnswer(1, BOTH_NEW);
    for (int i = 1; i < GRACE; i++) {
      three.onTick();
      assertEquals(Stage.WAITING, three.stage());
    }
    three.onTick();
    assertEquals(Stage.ADMITTED, three.stage());

    Admission five = of(5, NEW, false);
    five.onAnswer(1, BOTH_NEW);
    for (int i = 0; i < 2 * GRACE; i++) {
      five.onTick();
    }
    assertEquals(Stage.WAITING, five.stage(), "two are no majority");
  }

  @Test
  void shouldRefuseADirectoryInPlaceOfAnother() {
    for (Identities.Own own : Set.of(NEW, OLD)) {
      Admission refused = of(3, own, false);
      refused.onAnswer(2, OTHER);
      refused.onAnswer(1, NOTED);
      assertEquals(Stage.REFUSED, refused.stage());
      assertEquals(2, refused.refusedBy());
    }
    Admission late = of(3, NEW, false);
    late.onAnswer(1, BOTH_NEW);
    for (int i = 0; i < GRACE; i++) {
      late.onTick();
    }
    late.onAnswer(2, OTHER);
    assertEquals(Stage.REFUSED, late.stage(), "though it took part already");
  }

  @Test
  void shouldHaveAReplacementLearnFromAllOthersFirst() {
    Admission three = of(3, NEW, true);
    three.onAnswer(1, BOTH_NEW);
    for (int i = 0; i < 2 * GRACE; i++) {
      three.onTick();
    }
    assertEquals(Stage.WAITING, three.stage());
    three.onAnswer(2, NOTED);
    assertEquals(Stage.RECOVERING, three.stage());
    three.onRecovered();
    assertEquals(Stage.ADMITTED, three.stage());
  }

  private Identities open(String name, boolean isEmpty) throws IOException {
    return Identities.open(Files.createDirectories(folder.resolve(name)), isEmpty);
  }

  @Test
  void shouldKeepIdentitiesOnTheDisk() throws IOException {
    Identities first = open("0", true);
    String own = first.own().identity();
    assertEquals(new Identities.Own(own, false), open("0", true).own(), "it is made once");
    assertNotEquals(own, open("1", true).own().identity());
    assertEquals(true, open("old", false).own().isAdmitted(), "its journal is older");

    assertEquals(
        new Acquaintance(own, "x", true, true),
        first.onIntroduced(new Introduction(1, "x", false)));
    first.onAnswer(2, new Acquaintance("y", own, true, true));
    first.admit();
    Identities again = open("0", false);
    assertEquals(new Identities.Own(own, true), again.own());
    assertEquals(
        new Acquaintance(own, "x", true, false),
        again.onIntroduced(new Introduction(1, "lost", false)),
        "another directory is told which one is known");
    assertEquals(
        new Acquaintance(own, "y", true, false),
        again.onIntroduced(new Introduction(2, "y", false)),
        "it was known since this one was new, though it had not introduced itself");
    assertEquals(
        new Acquaintance(own, "lost", false, false),
        again.onIntroduced(new Introduction(1, "lost", true)),
        "a replacement takes the place");
    assertEquals("lost", open("0", false).onIntroduced(new Introduction(1, "x", false)).known());
  }
}
