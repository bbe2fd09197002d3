package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatchAgentTest {
  @Test
  void shouldRunInTheTestsOfThisModule() {
    assertTrue(PatchAgent.isInstalled());
    PatchAgent.requireInstalled();
  }

  @Test
  void shouldSayWhatToAddToTheBuildWhenItIsMissing() {
    String text = PatchAgent.missing(Path.of("/repository/testkit-1.jar"));
    assertTrue(text.contains("-javaagent:/repository/testkit-1.jar\n"), text);
    assertTrue(text.contains("<argLine>-javaagent:${io.millrace:testkit:jar}</argLine>\n"), text);
    assertTrue(
        PatchAgent.missing(Path.of("target/classes")).contains("-javaagent:/path/to/testkit.jar"));
  }

  @Test
  void shouldTakePackagesAndReport() {
    PatchArguments parsed = PatchArguments.parse("packages=com.acme;org.foo,report");
    assertEquals(
        List.of("org.apache.pekko", "scala.concurrent", "com.acme", "org.foo"),
        parsed.packages().names());
    assertTrue(parsed.report());
    assertEquals(new PatchArguments(PatchedPackages.DEFAULT, false), PatchArguments.parse(null));
    assertEquals(new PatchArguments(PatchedPackages.DEFAULT, false), PatchArguments.parse(""));
  }

  @Test
  void shouldRefuseArgumentsItDoesNotKnow() {
    for (String wrong : List.of("package=a", "packages=", "packages=a/b", "packages=a.", "x,")) {
      assertThrows(IllegalArgumentException.class, () -> PatchArguments.parse(wrong), wrong);
    }
  }

  @Test
  void shouldIncludeAPackageWithThoseBelowItAndNoOtherOfTheSameBeginning() {
    PatchedPackages packages = new PatchedPackages(List.of("com.acme"));
    assertTrue(packages.includes("com/acme/A"));
    assertTrue(packages.includes("com.acme.b.A"));
    assertEquals(false, packages.includes("com/acmeother/A"));
    assertEquals(false, packages.includes("com/acme"));
  }
}
