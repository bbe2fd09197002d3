package io.millrace.samples.bench.peer;

/**
 * A variant of Millrace in another build. A build runs twice; the report shows both runs as one
 * peer, and the distance between their figures.
 *
 * @param own the same variant in this build
 * @param build the other build
 * @param isAgain whether this peer is the second run of the build
 */
public record BaselinePeer(BenchPeer own, BaselineBuild build, boolean isAgain)
    implements BenchPeer {
  /** The name of the family in the report. */
  public static final String FAMILY = "baseline";

  @Override
  public String name() {
    return own.name().replaceFirst(MILLRACE, FAMILY) + (isAgain ? "-again" : "");
  }

  @Override
  public String family() {
    return FAMILY;
  }

  @Override
  public String nameInProcess() {
    return own.nameInProcess();
  }

  @Override
  public String classPath() {
    return build.classPath();
  }

  @Override
  public String settings() {
    return "the build in " + build.directory() + ", asked for the same as " + own.name();
  }

  @Override
  public String threads() {
    return "the threads of the other build";
  }

  @Override
  public Completion completion() {
    return own.completion();
  }

  @Override
  public boolean runs(Workload workload) {
    return own.runs(workload);
  }

  @Override
  public String ofFailure(String message) {
    return "the baseline in %s cannot talk with this build's bench: %s"
        .formatted(build.directory(), message);
  }

  @Override
  public BenchServer openServer(PeerSite site) {
    throw new IllegalStateException("only the other build's processes can open this peer");
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) {
    throw new IllegalStateException("only the other build's processes can open this peer");
  }
}
