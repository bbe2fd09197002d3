package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.net.FaultKind;
import io.millrace.testkit.internal.net.FiredFault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeepTest {
  @Test
  void shouldAllowAllUnlessToldOtherwise() {
    Keep keep = Keep.parse("");
    assertTrue(keep.isAll());
    assertTrue(keep.allowsFault(7) && keep.allowsStep(7) && keep.allowsSetting("x"));
    assertTrue(keep.packetFilter().allows(1, 2, FaultKind.LOSS));
    assertEquals("", keep.toString());
  }

  @Test
  void shouldAllowOnlyWhatItNames() {
    Keep keep =
        Keep.ALL
            .withFaults(List.of(5, 1, 2, 3))
            .withSteps(List.of())
            .withPackets(List.of(new FiredFault(0x1f, 17, FaultKind.REORDER)))
            .withSettings(List.of("b", "a"));
    assertEquals("f:1-3,5;w:;p:1f.17.REORDER;s:a,b", keep.toString());
    assertTrue(keep.allowsFault(2));
    assertFalse(keep.allowsFault(4));
    assertFalse(keep.allowsStep(0));
    assertTrue(keep.allowsSetting("a"));
    assertFalse(keep.allowsSetting("c"));
    assertTrue(keep.packetFilter().allows(0x1f, 17, FaultKind.REORDER));
    assertFalse(keep.packetFilter().allows(0x1f, 17, FaultKind.LOSS));
  }

  @Test
  void shouldLeaveOutSettingsThatHaveAMinus() {
    Keep keep = Keep.parse("s:-a,-b");
    assertFalse(keep.isAll());
    assertFalse(keep.allowsSetting("a") || keep.allowsSetting("b"));
    assertTrue(keep.allowsSetting("c"));
    assertEquals(List.of(), keep.missing(0, 0, List.of(new VariedSetting("c", "1"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "s:-nodes.differ",
        "f:",
        "w:0-3,9",
        "f:1;w:2;p:ff00.3.LOSS,1.0.CORRUPT;s:x.y,z"
      })
  void shouldReadWhatItWrites(String text) {
    assertEquals(text, Keep.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x:1", "f", "f:a", "p:1.2", "p:1.2.NOTHING", "s:a,-b"})
  void shouldRefuseRubbish(String text) {
    assertThrows(IllegalArgumentException.class, () -> Keep.parse(text));
  }
}
