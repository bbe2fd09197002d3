package io.millrace.samples.bench.faults;

import io.millrace.samples.bench.faults.FaultReport.Skipped;
import io.millrace.samples.bench.grpc.SelfSigned;
import io.millrace.samples.certs.CertificateDirectory;
import io.millrace.samples.certs.CertificatesException;
import io.millrace.samples.process.ScratchDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParameterException;

/** {@code millrace bench faults}. */
public final class FaultsCommand {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int BAD_ARGUMENT = 2;
  private static final int DAYS = 1;

  private final FaultsOptions options;
  private final PrintStream err;
  private final List<FaultRow> rows = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private int failed;

  private FaultsCommand(FaultsOptions options, PrintStream err) {
    this.options = options;
    this.err = err;
  }

  /** The text that {@code --help} prints. */
  public static String usage() {
    return FaultsOptions.usage();
  }

  /**
   * Runs the command.
   *
   * @param args the arguments behind {@code bench faults}
   * @param out receives the report
   * @param err receives progress, and one line when a step goes wrong
   * @return the exit code: 0 when each row was run, or skipped for a reason; 1 when a row could not
   *     be run and is missing; 2 when an argument is bad or this host lacks a prerequisite
   * @throws IOException if nothing could be run
   */
  public static int run(List<String> args, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    FaultsOptions options;
    try {
      options = FaultsOptions.parse(args);
    } catch (ParameterException e) {
      err.println("bench faults: " + e.getMessage());
      return BAD_ARGUMENT;
    }
    String missing = FaultLaboratory.missing();
    if (!missing.isEmpty()) {
      err.println(missing);
      return BAD_ARGUMENT;
    }
    FaultsCommand command = new FaultsCommand(options, err);
    command.measure();
    FaultReport report = new FaultReport(options, command.rows, command.skipped);
    report.printTable(out);
    if (options.json) {
      report.printJson(out);
    }
    return command.failed > 0 ? FAILED : OK;
  }

  private void measure() throws IOException, InterruptedException {
    try (ScratchDirectory scratch = ScratchDirectory.create("millrace-faults");
        FaultLaboratory laboratory = FaultLaboratory.open()) {
      makeCertificates(scratch.path());
      for (Fault fault : options.faults()) {
        for (FaultPeer peer : options.peers()) {
          measure(laboratory, fault, peer, scratch.path());
        }
      }
    }
  }

  private void makeCertificates(Path directory) throws IOException, InterruptedException {
    CertificateDirectory certificates = new CertificateDirectory(directory);
    List<String> hosts = new ArrayList<>(FaultSite.CLIENT_HOSTS);
    hosts.addAll(FaultSite.SERVER_HOSTS);
    try {
      certificates.makeAuthority(DAYS, false);
      certificates.makeNode(FaultSite.NODE, hosts, DAYS, false);
    } catch (CertificatesException e) {
      throw new IOException(e);
    }
    if (options.peers().contains(FaultPeer.GRPC)) {
      SelfSigned.make(directory);
    }
  }

  private void measure(FaultLaboratory laboratory, Fault fault, FaultPeer peer, Path directory)
      throws InterruptedException {
    if (!fault.fits(peer)) {
      return;
    }
    if (fault.needsNft() && !laboratory.hasNft()) {
      skip(fault, peer, "needs the command nft, which is missing or does not work here: nftables");
      return;
    }
    err.println("faults: " + fault.label() + " over " + peer.label() + ": starting");
    long startNs = System.nanoTime();
    try {
      rows.add(
          FaultRun.run(
              laboratory, fault, peer, directory, String.join("\n", options.settings), err));
      err.printf(
          "faults: %s over %s: done in %.1f s%n",
          fault.label(), peer.label(), (System.nanoTime() - startNs) / 1e9);
    } catch (IOException e) {
      String message = String.valueOf(e.getMessage());
      if (message.contains(MillraceFaultClient.NO_FABRIC)) {
        skip(fault, peer, MillraceFaultClient.NO_FABRIC);
        return;
      }
      failed++;
      err.println("bench faults: " + fault.label() + " over " + peer.label() + ": " + message);
    }
  }

  private void skip(Fault fault, FaultPeer peer, String reason) {
    err.println("faults: " + fault.label() + " over " + peer.label() + ": skipped: " + reason);
    skipped.add(new Skipped(fault, peer, reason));
  }
}
