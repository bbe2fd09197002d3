package io.millrace.samples.bench.burst;

import io.millrace.samples.process.ScratchDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The preset {@code shapes}: bursts of several sizes, directions and faults of the link. Shapes
 * with the same peers run in the same processes, since the start of hundreds of peers takes longer
 * than a burst.
 */
final class ShapesBurst {
  private final List<BurstSubject> subjects;
  private final Path directory;
  private final PrintStream err;
  private final List<BurstRow> rows = new ArrayList<>();

  private ShapesBurst(List<BurstSubject> subjects, Path directory, PrintStream err) {
    this.subjects = subjects;
    this.directory = directory;
    this.err = err;
  }

  /** Runs these shapes with each subject; a shape that could not run has no row. */
  static List<BurstRow> run(List<BurstOptions> shapes, List<BurstSubject> subjects, PrintStream err)
      throws IOException, InterruptedException {
    try (ScratchDirectory scratch = ScratchDirectory.create("millrace-burst")) {
      ShapesBurst burst = new ShapesBurst(subjects, scratch.path(), err);
      for (List<BurstOptions> group : groups(shapes)) {
        burst.runGroup(group);
      }
      return burst.rows;
    }
  }

  /** Parts the shapes into groups of neighbours that share their processes. */
  static List<List<BurstOptions>> groups(List<BurstOptions> shapes) {
    List<List<BurstOptions>> groups = new ArrayList<>();
    for (BurstOptions shape : shapes) {
      if (groups.isEmpty() || !groups.getLast().getFirst().sharesCrowdWith(shape)) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(shape);
    }
    return groups;
  }

  private void runGroup(List<BurstOptions> group) throws IOException, InterruptedException {
    BurstOptions first = group.getFirst();
    try (Laboratory laboratory = Laboratory.open(first)) {
      for (BurstSubject subject : subjects) {
        laboratory.resetBottleneck();
        Path own =
            Files.createDirectories(
                directory.resolve(subject.name() + "-" + first.peers + "-" + first.mtu));
        err.println("burst: " + first.peers + " peers of " + subject.name() + ": starting");
        try (BurstCrowd crowd = BurstCrowd.open(first, laboratory, subject, own, err)) {
          crowd.warmUp();
          runAll(group, laboratory, crowd, subject);
          crowd.sayFailures();
        } catch (IOException e) {
          err.println("bench: " + subject.name() + ": " + e.getMessage());
        }
      }
    }
  }

  private void runAll(
      List<BurstOptions> group, Laboratory laboratory, BurstCrowd crowd, BurstSubject subject)
      throws IOException, InterruptedException {
    BurstShape connected = null;
    for (BurstOptions shape : group) {
      BurstShape direction = shape.shapes().getFirst();
      if (direction != connected) {
        crowd.connect(direction);
      }
      BurstRun run = new BurstRun(shape, laboratory, directory, err);
      boolean hasUncounted = connected == null && !shape.cold;
      connected = direction;
      rows.add(run.rounds(crowd, subject, direction, shape.sizes.getFirst(), hasUncounted));
      if (!rows.getLast().gaveUp().isEmpty()) {
        err.println("burst: no more shapes with these peers: calls are still under way");
        return;
      }
    }
  }
}
