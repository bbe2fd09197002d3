package io.millrace.samples.sim;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * A small change to a method of a compiled class: replaces some instructions.
 *
 * @param type the name of the class
 * @param method the name of the method; all methods of this name
 * @param place selects the instructions
 * @param places the known number of such instructions in the method
 * @param instead writes the replacement of an instruction
 */
record CodeChange(
    String type,
    String method,
    Predicate<CodeElement> place,
    int places,
    BiConsumer<CodeBuilder, CodeElement> instead) {

  /** Returns whether the change has no effect in a JVM that has used the class already. */
  boolean isOfInitializer() {
    return method.equals("<clinit>");
  }

  /** Leaves out the only call to a method without a result. */
  static CodeChange withoutCall(String type, String method, String called) {
    return new CodeChange(type, method, calls(called), 1, CodeChange::skip);
  }

  /** Whether an instruction calls a method of this name. */
  static Predicate<CodeElement> calls(String called) {
    return code -> code instanceof InvokeInstruction call && call.name().equalsString(called);
  }

  private static void skip(CodeBuilder code, CodeElement element) {
    InvokeInstruction call = (InvokeInstruction) element;
    if (!call.typeSymbol().returnType().descriptorString().equals("V")) {
      throw new IllegalStateException("somebody wants the result of " + call);
    }
    List<ClassDesc> arguments = call.typeSymbol().parameterList();
    for (ClassDesc argument : arguments.reversed()) {
      if (TypeKind.from(argument).slotSize() == 2) {
        code.pop2();
      } else {
        code.pop();
      }
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      code.pop();
    }
  }

  /**
   * Writes the changed class into this folder, at its place in a class path.
   *
   * @return the file
   * @throws IllegalStateException if the method has another number of places, or is missing
   */
  Path write(Path folder) throws IOException {
    String file = type.replace('.', '/') + ".class";
    ClassLoader loader = CodeChange.class.getClassLoader();
    byte[] changed;
    try (InputStream bytes = loader.getResourceAsStream(file)) {
      if (bytes == null) {
        throw new IllegalStateException("there is no class " + type + " any more");
      }
      changed = changed(bytes.readAllBytes(), loader);
    }
    Path target = folder.resolve(file);
    Files.createDirectories(target.getParent());
    return Files.write(target, changed);
  }

  private byte[] changed(byte[] bytes, ClassLoader loader) {
    ClassHierarchyResolver found = ClassHierarchyResolver.ofResourceParsing(loader);
    ClassFile classFiles =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                found.orElse(ClassHierarchyResolver.defaultResolver())));
    ClassModel model = classFiles.parse(bytes);
    int present =
        model.methods().stream()
            .filter(each -> each.methodName().equalsString(method))
            .flatMap(each -> each.code().stream())
            .mapToInt(each -> (int) each.elementStream().filter(place).count())
            .sum();
    if (present != places) {
      throw new IllegalStateException(
          type + "." + method + " has " + present + " places to change, not " + places);
    }
    return classFiles.transformClass(
        model,
        ClassTransform.transformingMethodBodies(
            each -> each.methodName().equalsString(method),
            (code, element) -> {
              if (place.test(element)) {
                instead.accept(code, element);
              } else {
                code.with(element);
              }
            }));
  }
}
