print("kayit")
