package io.millrace.crypto.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The choice of the provider for records, by the code that the JVM compiles for the JDK's own
 * cipher.
 */
class RecordPreferenceTest {
  private static List<String> order(boolean isNarrow) {
    record Preference(String name, int value) {}

    return List.of(
            new Preference("libcrypto", new OpensslProvider().recordPreference()),
            new Preference("jdk", JdkProvider.recordPreference(isNarrow)),
            new Preference("accp", new AccpProvider().recordPreference()),
            new Preference("boringssl", new AeadContextProvider().recordPreference()))
        .stream()
        .sorted(Comparator.comparingInt(Preference::value).reversed())
        .map(Preference::name)
        .toList();
  }

  @Test
  void shouldTakeTheCipherOfTheJdkWhereItHasWideVectorsAndANativeOneWhereItHasNot() {
    assertEquals(List.of("accp", "jdk", "boringssl", "libcrypto"), order(false));
    assertEquals(List.of("accp", "boringssl", "libcrypto", "jdk"), order(true));
  }

  @Test
  void shouldCallVectorsBelowThoseOf512BitsNarrow() {
    assertTrue(WideVectors.areMissing("2"));
    assertFalse(WideVectors.areMissing("3"));
  }

  @Test
  void shouldAskThisJvm() {
    boolean isX86 = System.getProperty("os.arch").matches("amd64|x86_64");
    String level =
        isX86
            ? ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("UseAVX")
                .getValue()
            : "3";
    assertEquals(WideVectors.areMissing(level), WideVectors.areMissing());
    assertEquals(
        JdkProvider.recordPreference(WideVectors.areMissing(level)),
        new JdkProvider().recordPreference());
  }
}
