package io.millrace.testkit.internal.patch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.MethodTypeDesc;

/**
 * Gives a subclass of {@code CompletableFuture} a {@code defaultExecutor()} that a simulation can
 * replace.
 */
final class FutureExecutor {
  private static final String METHOD = "defaultExecutor";
  private static final MethodTypeDesc TYPE = MethodTypeDesc.of(Descriptors.EXECUTOR);

  private FutureExecutor() {}

  static boolean isMissing(ClassModel model) {
    boolean isFuture =
        model
            .superclass()
            .map(x -> x.asInternalName().equals("java/util/concurrent/CompletableFuture"))
            .orElse(false);
    return isFuture && model.methods().stream().noneMatch(FutureExecutor::isDefaultExecutor);
  }

  private static boolean isDefaultExecutor(MethodModel method) {
    return method.methodName().equalsString(METHOD) && method.methodTypeSymbol().equals(TYPE);
  }

  static ClassTransform added() {
    return ClassTransform.endHandler(
        builder ->
            builder.withMethodBody(
                METHOD,
                TYPE,
                ClassFile.ACC_PUBLIC,
                code -> code.invokestatic(Descriptors.CALLS, METHOD, TYPE).areturn()));
  }
}
