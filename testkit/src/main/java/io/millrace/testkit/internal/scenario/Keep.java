package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.net.FaultFilter;
import io.millrace.testkit.internal.net.FaultKind;
import io.millrace.testkit.internal.net.FiredFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a run that may happen: planned faults and steps of the workload by their numbers,
 * faults of single datagrams, and unusual settings. Immutable, any thread. As a text, for example
 * {@code f:0,3;w:1-4;p:1000000.17.LOSS}: kinds without an entry are whole. A minus before a setting
 * leaves this setting out: {@code s:-nodes.differ} keeps all other settings.
 */
public final class Keep {
  /** Everything. */
  public static final Keep ALL = new Keep(null, null, null, null);

  private static final String FAULTS = "f:";
  private static final String STEPS = "w:";
  private static final String PACKETS = "p:";
  private static final String SETTINGS = "s:";
  private static final String BUT = "-";
  private static final int HEXADECIMAL = 16;

  private final @Nullable NavigableSet<Integer> faults;
  private final @Nullable NavigableSet<Integer> steps;
  private final @Nullable List<FiredFault> packets;
  private final @Nullable NavigableSet<String> settings;

  private Keep(
      @Nullable NavigableSet<Integer> faults,
      @Nullable NavigableSet<Integer> steps,
      @Nullable List<FiredFault> packets,
      @Nullable NavigableSet<String> settings) {
    this.faults = faults;
    this.steps = steps;
    this.packets = packets;
    this.settings = settings;
  }

  /**
   * Reads the text of {@link #toString()}; a blank text keeps everything.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static Keep parse(String text) {
    Keep keep = ALL;
    for (String part : text.isBlank() ? new String[0] : text.strip().split(";", -1)) {
      String list = part.length() < 2 ? "" : part.substring(2);
      if (part.startsWith(FAULTS)) {
        keep = keep.withFaults(numbers(list));
      } else if (part.startsWith(STEPS)) {
        keep = keep.withSteps(numbers(list));
      } else if (part.startsWith(PACKETS)) {
        keep = keep.withPackets(packets(list));
      } else if (part.startsWith(SETTINGS)) {
        keep = keep.withSettings(settings(list));
      } else {
        throw new IllegalArgumentException("'" + part + "' does not begin with f:, w:, p: or s:");
      }
    }
    return keep;
  }

  /** The same parts, with these planned faults only. */
  public Keep withFaults(Collection<Integer> numbers) {
    return new Keep(new TreeSet<>(numbers), steps, packets, settings);
  }

  /** The same parts, with these steps only. */
  public Keep withSteps(Collection<Integer> numbers) {
    return new Keep(faults, new TreeSet<>(numbers), packets, settings);
  }

  /** The same parts, with these faults of datagrams only. */
  public Keep withPackets(Collection<FiredFault> fired) {
    return new Keep(faults, steps, List.copyOf(fired), settings);
  }

  /** The same parts, with only these settings other than usual. */
  public Keep withSettings(Collection<String> names) {
    return new Keep(faults, steps, packets, new TreeSet<>(names));
  }

  /** Whether the setting of this name may be other than usual. */
  boolean allowsSetting(String name) {
    if (settings == null) {
      return true;
    }
    return leavesOutSettings() ? !settings.contains(BUT + name) : settings.contains(name);
  }

  private boolean leavesOutSettings() {
    return settings != null && !settings.isEmpty() && settings.first().startsWith(BUT);
  }

  /** Whether the planned fault of this number may happen. */
  boolean allowsFault(int number) {
    return faults == null || faults.contains(number);
  }

  /** Whether the step of this number may happen. */
  boolean allowsStep(int number) {
    return steps == null || steps.contains(number);
  }

  /** Returns the named faults of datagrams; an empty list where all faults may happen. */
  List<FiredFault> packets() {
    return packets == null ? List.of() : packets;
  }

  /**
   * Returns the named parts that the run does not have.
   *
   * @param faultsPlanned number of planned faults
   * @param stepsPlanned number of planned steps
   * @param varied the unusual settings of the run
   */
  List<String> missing(int faultsPlanned, int stepsPlanned, List<VariedSetting> varied) {
    List<String> missing = new ArrayList<>();
    if (faults != null && !faults.tailSet(faultsPlanned).isEmpty()) {
      missing.add(FAULTS + text(new TreeSet<>(faults.tailSet(faultsPlanned))));
    }
    if (steps != null && !steps.tailSet(stepsPlanned).isEmpty()) {
      missing.add(STEPS + text(new TreeSet<>(steps.tailSet(stepsPlanned))));
    }
    if (settings != null && !leavesOutSettings()) {
      NavigableSet<String> gone = new TreeSet<>(settings);
      varied.forEach(setting -> gone.remove(setting.name()));
      gone.forEach(name -> missing.add(SETTINGS + name));
    }
    return missing;
  }

  /** Returns the filter of the faults of datagrams that may happen. */
  FaultFilter packetFilter() {
    return packets == null ? FaultFilter.ALL : FaultFilter.only(packets);
  }

  /** Whether nothing is left out. */
  public boolean isAll() {
    return faults == null && steps == null && packets == null && settings == null;
  }

  private static List<String> settings(String list) {
    List<String> names = List.of(items(list));
    long leftOut = names.stream().filter(name -> name.startsWith(BUT)).count();
    if (leftOut > 0 && leftOut < names.size()) {
      throw new IllegalArgumentException("'" + list + "' names both kept and left-out settings");
    }
    return names;
  }

  private static List<Integer> numbers(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String item : items(list)) {
      int dash = item.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? item : item.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(item.substring(dash + 1));
      for (int number = first; number <= last; number++) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static List<FiredFault> packets(String list) {
    List<FiredFault> packets = new ArrayList<>();
    for (String item : items(list)) {
      String[] fields = item.split("\\.", -1);
      if (fields.length != 3) {
        throw new IllegalArgumentException("'" + item + "' is not LINK.ORDINAL.KIND");
      }
      packets.add(
          new FiredFault(
              Long.parseLong(fields[0], HEXADECIMAL),
              Long.parseLong(fields[1]),
              FaultKind.valueOf(fields[2].toUpperCase(Locale.ROOT))));
    }
    return packets;
  }

  private static String[] items(String list) {
    return list.isEmpty() ? new String[0] : list.split(",", -1);
  }

  private static String text(NavigableSet<Integer> numbers) {
    StringJoiner text = new StringJoiner(",");
    Integer first = numbers.isEmpty() ? null : numbers.first();
    while (first != null) {
      int last = first;
      while (numbers.contains(last + 1)) {
        last++;
      }
      text.add(last == first ? first.toString() : first + "-" + last);
      first = numbers.higher(last);
    }
    return text.toString();
  }

  private static String text(List<FiredFault> packets) {
    StringJoiner text = new StringJoiner(",");
    for (FiredFault fault : packets) {
      text.add(Long.toHexString(fault.link()) + "." + fault.ordinal() + "." + fault.kind());
    }
    return text.toString();
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(";");
    if (faults != null) {
      text.add(FAULTS + text(faults));
    }
    if (steps != null) {
      text.add(STEPS + text(steps));
    }
    if (packets != null) {
      text.add(PACKETS + text(packets));
    }
    if (settings != null) {
      text.add(SETTINGS + String.join(",", settings));
    }
    return text.toString();
  }
}
