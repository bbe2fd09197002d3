package io.millrace.testkit.internal.patch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a class: a function of its bytes. Stateless, any thread. {@link Rewrites} lists the
 * rewritten calls. In addition, a subclass of {@code CompletableFuture} gets the simulation's
 * executor as its default, because Pekko hands such futures to Java.
 */
public final class ClassPatcher {
  private final ClassFile classFiles;

  /**
   * Creates a patcher of classes whose superclasses and interfaces {@code loader} finds as
   * resources.
   */
  public ClassPatcher(ClassLoader loader) {
    ClassHierarchyResolver found = ClassHierarchyResolver.ofResourceParsing(loader);
    classFiles =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                found.orElse(ClassHierarchyResolver.defaultResolver())));
  }

  /**
   * Returns the class with rewritten calls; null without a call to rewrite.
   *
   * @throws IllegalArgumentException when the bytes are no class file
   */
  public byte @Nullable [] patch(byte[] bytes) {
    ClassModel model = classFiles.parse(bytes);
    ClassTransform calls = null;
    if (hasRewrittenCalls(model)) {
      calls = ClassTransform.transformingMethodBodies(new CallRewriter(model));
    }
    if (FutureExecutor.isMissing(model)) {
      ClassTransform executor = FutureExecutor.added();
      calls = calls == null ? executor : calls.andThen(executor);
    }
    return calls == null ? null : classFiles.transformClass(model, calls);
  }

  private static boolean hasRewrittenCalls(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry method && Rewrites.of(method) != null) {
        return true;
      }
    }
    return false;
  }
}
