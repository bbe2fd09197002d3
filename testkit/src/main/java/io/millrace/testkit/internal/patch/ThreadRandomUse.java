package io.millrace.testkit.internal.patch;

import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.stream.Stream;

/** Decides whether a class shows the type {@code ThreadLocalRandom}, or only calls its methods. */
final class ThreadRandomUse {
  private static final String OWNER = "java/util/concurrent/ThreadLocalRandom";
  private static final String TYPE = "L" + OWNER + ";";

  private ThreadRandomUse() {}

  static boolean isCurrent(String owner, String name) {
    return owner.equals(OWNER) && name.equals("current");
  }

  /** Whether a field or a method, of this class or another, has the type in its descriptor. */
  static boolean isPartOfTypes(ClassModel model) {
    Stream<String> own =
        Stream.concat(
            model.methods().stream().map(x -> x.methodType().stringValue()),
            model.fields().stream().map(x -> x.fieldType().stringValue()));
    return own.anyMatch(x -> x.contains(TYPE)) || isPartOfTypesUsed(model);
  }

  private static boolean isPartOfTypesUsed(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      boolean shown =
          switch (entry) {
            case NameAndTypeEntry used ->
                used.type().stringValue().contains(TYPE) && !used.name().equalsString("current");
            case MethodTypeEntry type -> type.descriptor().stringValue().contains(TYPE);
            default -> false;
          };
      if (shown) {
        return true;
      }
    }
    return false;
  }
}
