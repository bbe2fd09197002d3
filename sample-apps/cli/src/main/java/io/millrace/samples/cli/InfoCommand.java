package io.millrace.samples.cli;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeProviders;
import io.millrace.driver.Capabilities;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/**
 * Tells the drivers, ciphers, handshakes and NICs that Millrace finds on this machine. Starts no
 * node and loads no actors.
 */
@Command(
    name = "info",
    description =
        "Shows drivers, reasons why a driver does not work here, ciphers, handshakes, NICs, cores.")
final class InfoCommand extends Subcommand {
  InfoCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() {
    List<DriverFinding> drivers = Drivers.probeAll();
    List<NicFacts> nics = NicFacts.all();
    List<AeadProvider> ciphers = AeadProviders.discover().all();
    List<HandshakeProvider> handshakes = HandshakeProviders.discover().all();
    if (isJson()) {
      Map<String, Object> report = report(drivers, nics, ciphers);
      report.put("handshakes", handshakes.stream().map(InfoCommand::report).toList());
      JsonLine.print(screen().out(), report);
    } else {
      print(screen().out(), drivers, nics, ciphers);
      screen().out().println();
      handshakeTable(handshakes).print(screen().out());
    }
    return ExitCode.DONE;
  }

  private static Map<String, Object> report(
      List<DriverFinding> drivers, List<NicFacts> nics, List<AeadProvider> ciphers) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("jdk", HostFacts.jdk());
    report.put("system", HostFacts.system());
    report.put("cores", HostFacts.cores());
    report.put("numa_nodes", HostFacts.numaNodes());
    report.put("limits", HostFacts.limits());
    report.put("nics", nics.stream().map(NicFacts::report).toList());
    report.put("drivers", drivers.stream().map(InfoCommand::report).toList());
    report.put("aead", ciphers.stream().map(InfoCommand::report).toList());
    return report;
  }

  private static Map<String, Object> report(DriverFinding driver) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("name", driver.name());
    report.put("family", driver.family());
    report.put("available", driver.isAvailable());
    if (driver.capabilities() != null) {
      report.put("preference", driver.preference());
      report.put("capabilities", report(driver.capabilities()));
    } else {
      report.put("reason", String.valueOf(driver.reason()));
    }
    return report;
  }

  private static Map<String, Object> report(Capabilities capabilities) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("max_datagram_bytes", capabilities.maxDatagramBytes());
    report.put("max_train_packets", capabilities.maxTrainPackets());
    report.put("max_train_bytes", capabilities.maxTrainBytes());
    report.put("segmentation_offload", capabilities.segmentationOffload());
    report.put("receive_coalescing", capabilities.receiveCoalescing());
    report.put("ecn", capabilities.ecn());
    report.put("error_queue", capabilities.errorQueue());
    report.put("one_sided", capabilities.oneSided());
    return report;
  }

  private static Map<String, Object> report(AeadProvider cipher) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("name", cipher.name());
    switch (cipher.probe()) {
      case AeadAvailability.Available available -> {
        report.put("available", true);
        report.put("detail", available.detail());
      }
      case AeadAvailability.Unavailable unavailable -> {
        report.put("available", false);
        report.put("reason", unavailable.reason());
      }
    }
    return report;
  }

  private static Map<String, Object> report(HandshakeProvider handshake) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("name", handshake.name());
    String problem = problem(handshake);
    report.put("available", problem.isEmpty());
    report.put("post_quantum", handshake.isPostQuantum());
    if (!problem.isEmpty()) {
      report.put("reason", problem);
    }
    return report;
  }

  private static String problem(HandshakeProvider handshake) {
    return handshake.probe() instanceof HandshakeAvailability.Unavailable unavailable
        ? unavailable.reason()
        : "";
  }

  private static TextTable handshakeTable(List<HandshakeProvider> handshakes) {
    TextTable table = new TextTable().row("handshake", "works here", "ML-KEM-768", "what");
    for (HandshakeProvider each : handshakes) {
      String problem = problem(each);
      table.row(
          each.name(),
          problem.isEmpty() ? "yes" : "no",
          each.isPostQuantum() ? "yes" : "no",
          problem);
    }
    return table;
  }

  private static void print(
      PrintStream out,
      List<DriverFinding> drivers,
      List<NicFacts> nics,
      List<AeadProvider> ciphers) {
    hostTable().print(out);
    out.println();
    driverTable(drivers).print(out);
    out.println();
    cipherTable(ciphers).print(out);
    out.println();
    nicTable(nics).print(out);
  }

  private static TextTable hostTable() {
    TextTable table = new TextTable().row("here", "");
    facts(table, "jdk", HostFacts.jdk());
    facts(table, "system", HostFacts.system());
    facts(table, "cores", HostFacts.cores());
    facts(table, "numa", HostFacts.numaNodes());
    facts(table, "limits", HostFacts.limits());
    return table;
  }

  private static TextTable driverTable(List<DriverFinding> drivers) {
    TextTable table = new TextTable().row("driver", "works here", "what");
    for (DriverFinding driver : drivers) {
      table.row(driver.name(), driver.isAvailable() ? "yes" : "no", what(driver));
    }
    return table;
  }

  private static TextTable cipherTable(List<AeadProvider> ciphers) {
    TextTable table = new TextTable().row("aead", "works here", "what");
    for (AeadProvider cipher : ciphers) {
      switch (cipher.probe()) {
        case AeadAvailability.Available available ->
            table.row(cipher.name(), "yes", available.detail());
        case AeadAvailability.Unavailable unavailable ->
            table.row(cipher.name(), "no", unavailable.reason());
      }
    }
    return table;
  }

  private static TextTable nicTable(List<NicFacts> nics) {
    TextTable table = new TextTable().row("nic", "up", "mtu", "speed", "numa", "addresses");
    for (NicFacts nic : nics) {
      String speed = nic.speedMbit() < 0 ? "?" : nic.speedMbit() + " Mbit/s";
      String up = nic.isUp() ? "yes" : "no";
      String mtu = nic.mtuBytes() < 0 ? "?" : String.valueOf(nic.mtuBytes());
      String node = nic.numaNode() < 0 ? "?" : String.valueOf(nic.numaNode());
      table.row(nic.name(), up, mtu, speed, node, String.join(" ", nic.addresses()));
    }
    return table;
  }

  private static void facts(TextTable table, String about, Map<String, Object> facts) {
    List<String> parts = new ArrayList<>();
    facts.forEach((name, value) -> parts.add(name + " " + (value.equals("") ? "none" : value)));
    if (!parts.isEmpty()) {
      table.row(about, String.join(", ", parts));
    }
  }

  private static String what(DriverFinding driver) {
    Capabilities can = driver.capabilities();
    if (can == null) {
      return String.valueOf(driver.reason());
    }
    List<String> parts = new ArrayList<>();
    parts.add("datagrams to " + Figures.count(can.maxDatagramBytes()) + " B");
    parts.add("trains of " + can.maxTrainPackets());
    addIf(parts, can.segmentationOffload(), "segmentation offload");
    addIf(parts, can.receiveCoalescing(), "receive coalescing");
    addIf(parts, can.ecn(), "ecn");
    addIf(parts, can.errorQueue(), "error queue");
    addIf(parts, can.oneSided(), "one-sided writes");
    return String.join(", ", parts);
  }

  private static void addIf(List<String> parts, boolean is, String part) {
    if (is) {
      parts.add(part);
    }
  }
}
