package io.millrace.samples.bench.millrace;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.bench.peer.Workload;
import io.millrace.samples.certs.CertificatesException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Millrace over UDP, encrypted as always, with workers that the application's thread drives.
 *
 * @param name the name in the report
 * @param family the name of the family that this peer is a variant of
 * @param bulk the bulk workload for this peer, which determines the size of datagrams
 * @param handshake the provider of the handshake
 * @param observer the observer of the events of each node
 */
public record MillracePeer(
    String name, String family, Workload bulk, String handshake, Observer observer)
    implements BenchPeer {
  private static final String OF_1400_B = BenchPeer.MILLRACE + "-1400B";

  /** The peers in every report: Millrace itself, with large and with small datagrams. */
  public static List<BenchPeer> usual(String handshake) {
    return List.of(
        new MillracePeer(
            BenchPeer.MILLRACE, BenchPeer.MILLRACE, Workload.BULK, handshake, Observer.NOBODY),
        new MillracePeer(
            OF_1400_B, BenchPeer.MILLRACE, Workload.BULK_1400B, handshake, Observer.NOBODY));
  }

  /** Millrace with another handshake, as a separate peer. */
  public static BenchPeer beside(String handshake) {
    String name = BenchPeer.MILLRACE + "-" + handshake;
    return new MillracePeer(name, name, Workload.BULK, handshake, Observer.NOBODY);
  }

  /** Millrace with an observer of the events: the cost of observation. */
  public static List<BenchPeer> observed(String handshake) {
    return Arrays.stream(Observer.values())
        .filter(observer -> observer != Observer.NOBODY)
        .<BenchPeer>map(
            observer ->
                new MillracePeer(
                    BenchPeer.MILLRACE + "-" + observer.name().toLowerCase(Locale.ROOT),
                    "observed",
                    Workload.BULK,
                    handshake,
                    observer))
        .toList();
  }

  @Override
  public String nameInProcess() {
    return bulk == Workload.BULK ? BenchPeer.MILLRACE : OF_1400_B;
  }

  @Override
  public List<String> jvmFlags() {
    return List.of(
        "-D" + MillraceNode.HANDSHAKE_PROPERTY + "=" + handshake,
        "-D" + Observer.PROPERTY + "=" + observer);
  }

  @Override
  public String settings() {
    return "UDP on 127.0.0.1, a handshake by "
        + handshake
        + ", every packet sealed with AES-128-GCM; idle strategy CALLER_RUNS, so"
        + " that worker and application share one spinning thread, which is the executor, too;"
        + " calls completed and served on the worker; bulk is one write of unknown length from"
        + " memory; datagrams as large as the path carries, at most "
        + bulk.datagramBytes()
        + " B; all else default; "
        + observer.text();
  }

  @Override
  public String threads() {
    return "each side one thread that spins, millrace-duty: worker, application and executor; the"
        + " actor system's and the handshake's threads sleep";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  @Override
  public boolean runs(Workload workload) {
    return workload.isBulk() ? workload == bulk : bulk == Workload.BULK;
  }

  @Override
  public BenchServer openServer(PeerSite site) throws IOException, CertificatesException {
    return new MillraceEchoServer(site, bulk.datagramBytes());
  }

  @Override
  public BenchClient openClient(PeerSite site, String address)
      throws IOException, CertificatesException {
    return new MillraceUnaryClient(site, bulk.datagramBytes(), address);
  }
}
