package io.millrace.samples.selftest;

import io.millrace.samples.selftest.Finding.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The findings of a self-test for people and, without addresses and names of the host, for a report
 * to the project.
 */
public final class SelfTestReport {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "\\d{1,3}(\\.\\d{1,3}){3}|\\b\\p{XDigit}{1,4}(:\\p{XDigit}{0,4}){3,7}"
              + "|\\p{XDigit}{0,4}::\\p{XDigit}{0,4}(:\\p{XDigit}{1,4})*");

  private static final Path MACHINE = Path.of("/sys/class/dmi/id/product_name");
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private final String driver;
  private final List<Finding> findings;
  private final Map<String, Object> host;
  private final String hostName;

  /**
   * @param driver the driver's name
   * @param findings a finding for each check
   * @param host facts about this JVM and system, without names
   */
  public SelfTestReport(String driver, List<Finding> findings, Map<String, Object> host) {
    this(driver, findings, host, line(HOST_NAME));
  }

  SelfTestReport(String driver, List<Finding> findings, Map<String, Object> host, String hostName) {
    this.driver = driver;
    this.findings = List.copyOf(findings);
    this.host = host;
    this.hostName = hostName;
  }

  /** Whether no required check has failed, and the checks came to their end. */
  public boolean isPassed() {
    return findings.stream().noneMatch(Finding::isFatal)
        && findings.getLast().status() == Status.OK;
  }

  /** Returns a sentence about the first required check that has failed; empty if there is none. */
  public String firstFailure() {
    return findings.stream()
        .filter(Finding::isFatal)
        .map(finding -> "'" + finding.check().label() + "' failed: " + finding.detail())
        .findFirst()
        .orElse("");
  }

  /** Returns the rows of a table, the heading first. */
  public List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("check of " + driver, "result", "why"));
    for (Finding finding : findings) {
      rows.add(List.of(finding.check().label(), name(finding.status()), finding.detail()));
      for (Map.Entry<String, Object> figure : new TreeMap<>(finding.figures()).entrySet()) {
        // numbers, and the fact of the check's name, are part of the detail
        boolean isTold = figure.getKey().equals(finding.check().label());
        if (figure.getValue() instanceof String fact && !isTold) {
          rows.add(List.of("", "", figure.getKey() + ": " + fact));
        }
      }
      if (finding.status() == Status.FAILED) {
        rows.add(List.of("", "remedy", finding.remedy(driver)));
      }
    }
    return rows;
  }

  /** Returns the JSON object of the report. */
  public Map<String, Object> json() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("self_test", driver);
    report.put("passed", isPassed());
    report.putAll(host);
    String machine = line(MACHINE);
    if (!machine.isEmpty()) {
      report.put("machine", machine);
    }
    report.put("checks", findings.stream().map(this::json).toList());
    return report;
  }

  private Map<String, Object> json(Finding finding) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("check", finding.check().label());
    object.put("result", name(finding.status()));
    object.put("why", withoutNames(finding.detail()));
    object.putAll(new TreeMap<>(finding.figures()));
    return object;
  }

  private static String name(Status status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /** Takes away addresses, the host's name and the user's folder. */
  private String withoutNames(String text) {
    String plain = ADDRESS.matcher(text).replaceAll("ADDRESS");
    plain = hostName.isEmpty() ? plain : plain.replace(hostName, "HOST");
    String home = System.getProperty("user.home", "");
    return home.length() > 1 ? plain.replace(home, "HOME") : plain;
  }

  /** Returns the first line of a system's file, or an empty text without the file. */
  private static String line(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      return "";
    }
  }
}
