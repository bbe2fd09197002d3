package io.millrace.testkit.internal.patch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the calls of a class that {@link CallKind} knows, with references to such methods and uses
 * of fields with such objects.
 */
final class CallSites {
  private final ClassModel model;
  private final Consumer<CallSite> found;

  private CallSites(ClassModel model, Consumer<CallSite> found) {
    this.model = model;
    this.found = found;
  }

  static void find(byte[] bytes, Consumer<CallSite> found) {
    ClassModel model = ClassFile.of().parse(bytes);
    if (namesAny(model)) {
      CallSites sites = new CallSites(model, found);
      model.methods().forEach(sites::search);
    }
  }

  /**
   * Whether there is reason to look at the code: a look at the code takes much longer than a look
   * at the constants.
   */
  private static boolean namesAny(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member && CallKind.of(member) != null) {
        return true;
      }
    }
    return false;
  }

  private void search(MethodModel method) {
    String name = method.methodName().stringValue();
    List<CodeElement> elements = method.code().map(CodeModel::elementList).orElse(List.of());
    boolean refused = false;
    for (CodeElement element : elements) {
      switch (element) {
        case InvokeInstruction call -> {
          check(name, call.method(), refused);
          refused = isRefusal(call);
        }
        case InvokeDynamicInstruction call -> check(name, call);
        case FieldInstruction field when isClock(field) -> check(name, field.field(), false);
        default -> {}
      }
    }
  }

  private static boolean isClock(FieldInstruction field) {
    return CallKind.of(field.field()) == CallKind.CLOCK;
  }

  private static boolean isRefusal(InvokeInstruction call) {
    return call.name().equalsString("refuse") && call.owner().asSymbol().equals(Descriptors.CALLS);
  }

  private void check(String method, MemberRefEntry called, boolean refused) {
    report(
        method,
        called.owner().asInternalName(),
        called.name().stringValue(),
        called.type().stringValue(),
        refused);
  }

  private void check(String method, InvokeDynamicInstruction call) {
    for (var argument : call.bootstrapArgs()) {
      if (argument instanceof DirectMethodHandleDesc called
          && called.owner().isClassOrInterface()) {
        String owner = called.owner().descriptorString();
        boolean isConstructor = called.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
        report(
            method,
            owner.substring(1, owner.length() - 1),
            isConstructor ? ConstantDescs.INIT_NAME : called.methodName(),
            called.lookupDescriptor(),
            false);
      }
    }
  }

  private void report(String method, String owner, String name, String type, boolean refused) {
    CallKind kind = CallKind.of(owner, name, type);
    if (kind != null) {
      String caller = model.thisClass().asInternalName().replace('/', '.');
      found.accept(
          new CallSite(caller, method, kind, owner.replace('/', '.') + "." + name, refused));
    }
  }
}
