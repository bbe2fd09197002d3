package io.millrace.testkit.internal.patch;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Hands loading classes to the {@link ClassPatcher} and keeps account. Called by every thread that
 * loads a class.
 */
final class PatchTransformer implements ClassFileTransformer {
  private final PatchedPackages packages;
  private final Queue<String> patched = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  PatchTransformer(PatchedPackages packages) {
    this.packages = packages;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (loader == null || className == null || !packages.includes(className)) {
      return null;
    }
    try {
      byte[] result = new ClassPatcher(loader).patch(bytes);
      if (result != null) {
        patched.add(className);
      }
      return result;
    } catch (RuntimeException | LinkageError e) {
      // the JVM would swallow the exception and go on with the original class
      failures.add(className.replace('/', '.') + ": " + e);
      return null;
    }
  }

  /** The packages to rewrite. */
  PatchedPackages packages() {
    return packages;
  }

  /** Throws when a class could not be rewritten. */
  void requireNoFailure() {
    if (!failures.isEmpty()) {
      throw new IllegalStateException("classes that could not be rewritten: " + failures);
    }
  }

  /** The names of the rewritten classes, sorted, a line each. */
  String report() {
    StringBuilder text = new StringBuilder();
    text.append("rewritten classes: ").append(patched.size()).append('\n');
    patched.stream()
        .sorted()
        .forEach(x -> text.append("  ").append(x.replace('/', '.')).append('\n'));
    failures.forEach(x -> text.append("not rewritten: ").append(x).append('\n'));
    return text.toString();
  }
}
