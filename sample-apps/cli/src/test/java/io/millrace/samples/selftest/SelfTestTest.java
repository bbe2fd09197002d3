package io.millrace.samples.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.selftest.FakeLoopDriver.Fault;
import io.millrace.samples.selftest.Finding.Status;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelfTestTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration ANSWER = Duration.ofMillis(150);
  private static final Duration RATE = Duration.ofMillis(1);
  private static final InetSocketAddress ANY = new InetSocketAddress(0);

  private static List<Finding> run(FakeLoopDriver driver, Duration limit)
      throws InterruptedException {
    return SelfTest.run(driver, ANY, new SelfTest.Times(limit, ANSWER, RATE), check -> {});
  }

  private static List<Check> withStatus(List<Finding> findings, Status status) {
    return findings.stream().filter(f -> f.status() == status).map(Finding::check).toList();
  }

  @Test
  void shouldPassFaultlessDriverAndTellEachCheckBeforeItRuns() throws InterruptedException {
    List<String> told = new ArrayList<>();
    List<Finding> findings =
        SelfTest.run(
            new FakeLoopDriver(Fault.NONE), ANY, new SelfTest.Times(LONG, ANSWER, RATE), told::add);
    assertEquals(List.of(), withStatus(findings, Status.FAILED), findings.toString());
    assertEquals(List.of(Check.SHARED_MEMORY), withStatus(findings, Status.SKIPPED));
    assertEquals(findings.stream().map(f -> f.check().label()).toList(), told);
    assertTrue(new SelfTestReport("fake", findings, Map.of()).isPassed());
  }

  @ParameterizedTest
  @CsvSource({
    "KEEPS_STALE_KEYS, STALE_KEY, 0",
    "WRITES_ALL_BUT_THE_LAST_BYTE, WRITE, 4",
    "FORGETS_IMMEDIATES, IMMEDIATE, 0",
    "REFUSES_LARGE_REGISTRATIONS, REGISTER_LARGE, 0",
    "LOSES_MESSAGES, MESSAGE, 1"
  })
  void shouldFailTheCheckOfTheFaultAndSkipTheChecksThatNeedIt(Fault fault, Check check, int lacking)
      throws InterruptedException {
    List<Finding> findings = run(new FakeLoopDriver(fault), LONG);
    assertEquals(List.of(check), withStatus(findings, Status.FAILED), findings.toString());
    List<Check> skipped = new ArrayList<>(withStatus(findings, Status.SKIPPED));
    skipped.remove(Check.SHARED_MEMORY);
    assertEquals(lacking, skipped.size(), skipped.toString());
    SelfTestReport report = new SelfTestReport("fake", findings, Map.of());
    assertFalse(report.isPassed());
    assertTrue(report.firstFailure().contains(check.label()), report.firstFailure());
    assertTrue(
        report.rows().stream().anyMatch(row -> row.contains(check.remedy("fake"))),
        "the remedy is in the table");
  }

  private static String remedies(String driver, Finding finding) {
    return new SelfTestReport(driver, List.of(finding), Map.of()).rows().toString();
  }

  @Test
  void shouldTellLackOfSpaceAndNoStaleKey() throws InterruptedException {
    List<Finding> findings = run(new FakeLoopDriver(Fault.LACKS_SPACE_FOR_MORE), LONG);
    assertEquals(List.of(Check.STALE_KEY), withStatus(findings, Status.FAILED));
    Finding lack = findings.get(Check.STALE_KEY.ordinal());
    assertTrue(lack.detail().contains("not checked"), lack.detail());
    String told = remedies("fabric:shm", lack);
    assertTrue(told.contains("remount"), told);
    assertFalse(told.contains("do not use"), told);
  }

  @Test
  void shouldNameTheProviderAndAdviseAboutEfaForEfaAlone() {
    Finding lack = Finding.failed(Check.PROVIDER, "no such provider");
    String verbs = remedies("fabric:verbs", lack);
    assertTrue(verbs.contains("'fi_info -p verbs'"), verbs);
    assertFalse(verbs.contains("EFA"), verbs);
    String efa = remedies("efa", lack);
    assertTrue(efa.contains("'fi_info -p efa'") && efa.contains("an EFA interface"), efa);
  }

  @Test
  void shouldTellTheFabricWithTheNameOfTheProvider() {
    SequencedMap<String, String> facts = new LinkedHashMap<>();
    facts.put("provider", "efa");
    facts.put("fabric", "efa");
    String told = remedies("efa", Finding.ok(Check.PROVIDER, "efa").with(facts));
    assertTrue(told.contains("fabric: efa"), told);
    assertFalse(told.contains("provider: efa"), told);
  }

  @Test
  void shouldEndInTimeWhenTheLibraryNeverReturns() throws InterruptedException {
    FakeLoopDriver driver = new FakeLoopDriver(Fault.HANGS_IN_OPEN);
    List<Finding> findings = run(driver, Duration.ofMillis(100));
    driver.release.countDown();
    assertEquals(List.of(Check.OPEN), withStatus(findings, Status.FAILED), findings.toString());
    assertEquals(Check.values().length, findings.size());
    assertTrue(findings.get(Check.OPEN.ordinal()).detail().contains("did not end"));
  }

  @Test
  void shouldSendNoAddressesAndNoNames() {
    Finding failed =
        Finding.failed(
            Check.OPEN,
            "10.1.2.3 and fe80::1c2:3 are not addresses of node-7, see "
                + System.getProperty("user.home")
                + "/log");
    String sent = new SelfTestReport("efa", List.of(failed), Map.of(), "node-7").json().toString();
    assertTrue(sent.contains("ADDRESS and ADDRESS are not addresses of HOST, see HOME/log"), sent);
    assertEquals(
        new TreeSet<>(List.of("checks", "passed", "self_test")),
        new TreeSet<>(
            new SelfTestReport("efa", List.of(failed), Map.of(), "")
                .json().keySet().stream().filter(key -> !key.equals("machine")).toList()));
  }
}
