package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.peer.BaselineBuild;
import io.millrace.samples.process.Checkout;
import java.io.File;

/**
 * A transport of the comparison and the build behind the transport.
 *
 * @param name the name in reports
 * @param classPath the class path of the transport's processes
 */
record BurstSubject(String name, BurstKind kind, String classPath) {
  /** Returns a transport of this build. */
  static BurstSubject of(BurstKind kind) {
    return new BurstSubject(kind.label(), kind, System.getProperty("java.class.path"));
  }

  /** Millrace of another build, under the classes of this laboratory and of its processes. */
  static BurstSubject of(BaselineBuild baseline) {
    return new BurstSubject(
        "baseline",
        BurstKind.MILLRACE,
        String.join(
            File.pathSeparator,
            Checkout.classesWith(BurstSubject.class).toString(),
            Checkout.classesWith(Checkout.class).toString(),
            baseline.classPath()));
  }
}
