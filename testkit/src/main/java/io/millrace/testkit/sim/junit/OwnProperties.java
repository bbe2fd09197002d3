package io.millrace.testkit.sim.junit;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The properties that a person gave to the test run by {@code -D}, which the line that repeats a
 * run has to give again. With Maven its start script leaves the words of the command in the
 * environment; otherwise the arguments of this JVM are taken. Any thread.
 */
final class OwnProperties {
  /** Set by the start script of Maven, the words of the command separated by blanks. */
  private static final String MAVEN = "MAVEN_CMD_LINE_ARGS";

  private static final String DEFINES = "-D";
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[\\w.,:=/@%+-]+");

  /**
   * The line that repeats a run has words of its own for most of these; the last hides failures.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "test",
          "surefire.failIfNoSpecifiedTests",
          "millrace.sim.seed",
          "millrace.sim.seeds",
          "millrace.sim.keep",
          "maven.test.failure.ignore");

  /** The beginnings of the names that a JVM or a development environment gives to itself. */
  private static final Pattern OF_NO_PERSON =
      Pattern.compile("(java|sun|jdk|file|idea|stdout|stderr|visualvm)\\..*");

  private OwnProperties() {}

  /** Returns the options of this test run, each with a blank in front; empty without any. */
  static String ofThisRun() {
    return of(
        System.getenv(MAVEN),
        ManagementFactory.getRuntimeMXBean().getInputArguments(),
        System.getProperties());
  }

  /**
   * Returns the options of a test run.
   *
   * @param maven the words of Maven's command, or null if Maven has not begun this run
   * @param jvm the arguments of this JVM
   * @param values the values of the properties: a value with a blank is not whole among the words
   */
  static String of(@Nullable String maven, List<String> jvm, Map<?, ?> values) {
    Set<String> names = new LinkedHashSet<>();
    for (String word : maven == null ? jvm : words(maven)) {
      if (word.startsWith(DEFINES)) {
        int end = word.indexOf('=');
        names.add(word.substring(DEFINES.length(), end < 0 ? word.length() : end));
      }
    }
    names.removeAll(LEFT_OUT);
    names.removeIf(name -> name.isEmpty() || OF_NO_PERSON.matcher(name).matches());
    StringBuilder options = new StringBuilder();
    for (String name : names) {
      Object value = values.get(name);
      options.append(' ').append(quoted(DEFINES + name + (value == null ? "" : "=" + value)));
    }
    return options.toString();
  }

  /** Returns the words; {@code -D name} counts as one word. */
  private static List<String> words(String maven) {
    List<String> words = new ArrayList<>();
    boolean isDefined = false;
    for (String each : BLANKS.split(maven.strip(), -1)) {
      if (!each.equals(DEFINES)) {
        words.add(isDefined ? DEFINES + each : each);
      }
      isDefined = each.equals(DEFINES);
    }
    return words;
  }

  private static String quoted(String option) {
    return NEEDS_NO_QUOTES.matcher(option).matches()
        ? option
        : "'" + option.replace("'", "'\\''") + "'";
  }
}
