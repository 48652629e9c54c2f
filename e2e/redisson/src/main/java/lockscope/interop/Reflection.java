package lockscope.interop;

import java.lang.reflect.Method;

/** Calls methods that only some versions have, or that are not public. */
final class Reflection {
    private Reflection() {}

    /** Calls the first method with that name that accepts these arguments, from the target's class upwards. */
    static Object call(Object target, String name, Object... arguments) throws ReflectiveOperationException {
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && takes(method, arguments) && !method.isBridge()) {
                    method.setAccessible(true);
                    return method.invoke(target, arguments);
                }
            }
        }
        throw new NoSuchMethodException(target.getClass() + "." + name);
    }

    private static boolean takes(Method method, Object[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isPrimitive() && !types[i].isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }
}
