package io.millrace.testkit.internal.patch;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rewrites the calls, and the references to methods, in the methods of one class. */
final class CallRewriter implements CodeTransform {
  private final @Nullable String superclass;
  private final boolean keepsThreadRandom;

  CallRewriter(ClassModel model) {
    superclass = model.superclass().map(ClassEntry::asInternalName).orElse(null);
    keepsThreadRandom = ThreadRandomUse.isPartOfTypes(model);
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    switch (element) {
      case InvokeInstruction call -> rewrite(code, call);
      case InvokeDynamicInstruction call -> rewrite(code, call);
      default -> code.with(element);
    }
  }

  private void rewrite(CodeBuilder code, InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    Rewrite rewrite = Rewrites.of(owner, name, call.type().stringValue());
    boolean isSuperConstructor = name.equals("<init>") && owner.equals(superclass);
    if (rewrite == null || stays(owner, name) || rewrite instanceof Create && isSuperConstructor) {
      code.with(call);
    } else {
      rewrite.emit(code, call);
    }
  }

  /**
   * Whether a call must stay: where the type of the thread's generator is visible, the type must
   * stay; draws from the generator need not.
   */
  private boolean stays(String owner, String name) {
    return keepsThreadRandom && ThreadRandomUse.isCurrent(owner, name);
  }

  private void rewrite(CodeBuilder code, InvokeDynamicInstruction call) {
    List<ConstantDesc> given = call.bootstrapArgs();
    ConstantDesc[] arguments = given.stream().map(this::rewritten).toArray(ConstantDesc[]::new);
    MethodTypeDesc type = call.typeSymbol();
    for (int i = 0; i < arguments.length; i++) {
      if (!arguments[i].equals(given.get(i))
          && arguments[i] instanceof DirectMethodHandleDesc reference
          && type.parameterCount() == 1) {
        // a receiver that is bound already must have exactly the type that the method declares
        type = type.changeParameterType(0, reference.invocationType().parameterType(0));
      }
    }
    code.invokedynamic(
        DynamicCallSiteDesc.of(call.bootstrapMethod(), call.name().stringValue(), type, arguments));
  }

  private ConstantDesc rewritten(ConstantDesc argument) {
    if (!(argument instanceof DirectMethodHandleDesc called)) {
      return argument;
    }
    String owner = called.owner().descriptorString();
    if (!called.owner().isClassOrInterface() || stays(internalName(owner), called.methodName())) {
      return argument;
    }
    String name =
        called.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
            ? ConstantDescs.INIT_NAME
            : called.methodName();
    Rewrite rewrite = Rewrites.of(internalName(owner), name, called.lookupDescriptor());
    DirectMethodHandleDesc reference = rewrite == null ? null : rewrite.reference(called);
    return reference == null ? argument : reference;
  }

  private static String internalName(String descriptor) {
    return descriptor.substring(1, descriptor.length() - 1);
  }
}
